import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openNodeGpu } from '../backend/webgpu/node.ts';
import type { Engine } from './protocol.ts';
import { openSession } from './session.ts';

/** The engine in Node: samples from the folder beside the program, WebGPU through Dawn where it is installed. */
export function openNodeEngine(options: { readonly threads?: number }): Engine {
  return openSession({
    gpu: openNodeGpu,
    threads: options.threads,
    async readSample(file) {
      const path = fileURLToPath(new URL(`./samples/${file}`, import.meta.url));
      return new File([await openAsBlob(path)], basename(path));
    },
  });
}
