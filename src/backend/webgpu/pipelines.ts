import { BackendError } from '../backend.ts';
import { message } from './device.ts';
import type { Shader, ShaderName } from './shaders.ts';
import { SHADERS } from './shaders.ts';

/**
 * Compiles one shader with its constants.
 * @throws BackendError with the compiler's message, the line and the source around it
 */
export async function compile(device: GPUDevice, name: string, shader: Shader): Promise<GPUComputePipeline> {
  // The scope is closed before anything is awaited: scopes are a stack that concurrent compilations share.
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label: name, code: shader.code });
  const pipeline = device.createComputePipelineAsync({
    label: name,
    layout: 'auto',
    compute: { module, entryPoint: 'main', constants: shader.constants },
  });
  const scope = device.popErrorScope();
  const [result, problem] = await Promise.all([pipeline.catch((error: unknown) => ({ error })), scope]);
  if ('error' in result || problem) {
    const why = problem?.message ?? ('error' in result ? message(result.error) : '');
    const details = (await module.getCompilationInfo()).messages
      .filter(({ type }) => type === 'error')
      .map((info) => `line ${info.lineNum}: ${info.message}\n${excerpt(shader.code, info.lineNum)}`);
    throw new BackendError(
      `The GPU's compiler refused shaders/${shader.files.join(' + ')} (${name}): ${details.join('\n') || why}`,
    );
  }
  return result;
}

/** The line of the source, with one before and one after. */
function excerpt(code: string, line: number): string {
  return code
    .split('\n')
    .map((text, i) => `${String(i + 1).padStart(5)} | ${text}`)
    .slice(Math.max(0, line - 2), line + 1)
    .join('\n');
}

/** Pipelines of one device, compiled when first asked for. */
export class Pipelines {
  readonly #device: GPUDevice;
  readonly #compiled = new Map<ShaderName, Promise<GPUComputePipeline>>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  get(name: ShaderName): Promise<GPUComputePipeline> {
    let pipeline = this.#compiled.get(name);
    if (!pipeline) {
      pipeline = compile(this.#device, name, SHADERS[name]);
      this.#compiled.set(name, pipeline);
    }
    return pipeline;
  }
}
