import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import { solverSuite } from './frank-wolfe-suite.ts';

// SwiftShader takes some 30 microseconds a dispatch: shorter runs, the same comparisons
solverSuite('WebGPU', async () => openWebgpuBackend(await openNodeGpu()), 200);
