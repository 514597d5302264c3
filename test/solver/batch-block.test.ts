import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { batchBlockSuite } from './batch-block-suite.ts';

batchBlockSuite('WASM', () => openWasmBackend({ threads: 2 }), 7, [1, 7, 32, 37]);
