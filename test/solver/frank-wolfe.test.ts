import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { solverSuite } from './frank-wolfe-suite.ts';

solverSuite('WASM', () => openWasmBackend({ threads: 2 }), 3000);
