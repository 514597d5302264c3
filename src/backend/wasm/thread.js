/**
 * A helper thread. Self-contained: a browser loads it as a module, Node evaluates its text. It gets the compiled
 * program, the shared memory and its number, says that it is ready, and then works inside the program until the end.
 */

/**
 * @param {{ module: WebAssembly.Module, memory: WebAssembly.Memory, index: number }} given
 * @param {(message: string) => void} tell
 */
function start({ module, memory, index }, tell) {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  tell('ready');
  /** @type {(index: number) => void} */ (exports.help)(index);
}

if (typeof process === 'object' && process.versions?.node) {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  start(workerData, (message) => parentPort?.postMessage(message));
} else {
  globalThis.onmessage = ({ data }) => start(data, (message) => globalThis.postMessage(message));
}
