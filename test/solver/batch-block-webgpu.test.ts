import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import { batchBlockSuite } from './batch-block-suite.ts';

// a view starts at a multiple of 256 bytes, 32 rows
batchBlockSuite('WebGPU', async () => openWebgpuBackend(await openNodeGpu()), 32, [32, 37]);
