import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type PreviewServer, preview } from 'vite';

/** Builds the page over the made-up engine into a folder and serves it from there. */
export async function servePage(outDir: string): Promise<{ server: PreviewServer; address: string }> {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const config = {
    root,
    configFile: false as const,
    logLevel: 'warn' as const,
    build: { outDir, emptyOutDir: true },
  };
  const define = { __VERSION__: JSON.stringify('test') };
  await build({ ...config, plugins: [react()], define, base: './' });
  const server = await preview({ ...config, preview: { port: 0, strictPort: false } });
  return { server, address: server.resolvedUrls?.local[0] ?? '' };
}
