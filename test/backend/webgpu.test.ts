import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import { kernelSuite, productSuite } from './suite.ts';

// An error that WebGPU reports anywhere makes every later call of the backend throw, and so fails the suite.
kernelSuite('WebGPU', async () => openWebgpuBackend(await openNodeGpu()), { cases: 200 });
// on a software adapter the suite above takes other forms of the products
productSuite(
  'WebGPU, the forms for GPUs',
  async () => openWebgpuBackend(await openNodeGpu(), { gpuForms: true }),
  {
    cases: 200,
  },
);
