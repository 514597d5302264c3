import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { kernelSuite } from './suite.ts';

kernelSuite('WASM, 1 thread', () => openWasmBackend({ threads: 1 }), { cases: 200 });
kernelSuite('WASM, 2 threads', () => openWasmBackend({ threads: 2 }), { cases: 200 });
