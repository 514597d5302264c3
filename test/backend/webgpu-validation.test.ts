import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAdapter } from '../../src/backend/webgpu/adapter.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import { compile } from '../../src/backend/webgpu/pipelines.ts';
import { SHADERS } from '../../src/backend/webgpu/shaders.ts';

/** Dawn's null backend validates WGSL, overrides and limits in full, and needs no driver. */
describe('WGSL on default limits', () => {
  let device: GPUDevice;
  const errors: string[] = [];

  beforeAll(async () => {
    const { adapter } = await findAdapter(await openNodeGpu(['backend=null']));
    device = await adapter.requestDevice();
    device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
  });

  it.each(Object.entries(SHADERS))('%s compiles without an error or a warning', async (name, shader) => {
    const pipeline = await compile(device, name, shader);
    expect(pipeline.label).toBe(name);
    const { messages } = await device.createShaderModule({ code: shader.code }).getCompilationInfo();
    expect(messages.map(({ type, lineNum, message }) => `${type} in line ${lineNum}: ${message}`)).toEqual(
      [],
    );
    expect(errors).toEqual([]);
  });

  it('reports a broken shader with file, line and source', async () => {
    const code = '@compute @workgroup_size(1)\nfn main() {\n  let x: u32 = 1.5;\n}\n';
    const broken = compile(device, 'broken', { files: ['broken.wgsl'], code, constants: {} });
    await expect(broken).rejects.toThrow(/shaders\/broken\.wgsl.*line 3: .*let x: u32 = 1\.5;/s);
    expect(errors).toEqual([]);
  });

  it('knows every file in shaders/', () => {
    const present = readdirSync(new URL('../../shaders', import.meta.url), {
      recursive: true,
      encoding: 'utf8',
    });
    const registered = new Set(Object.values(SHADERS).flatMap(({ files }) => files));
    expect([...registered].sort()).toEqual(present.filter((file) => file.endsWith('.wgsl')).sort());
  });
});
