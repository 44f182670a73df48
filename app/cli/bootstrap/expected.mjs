/** Builds the program that fills in the shipped scenarios' expected results: one folder of plain modules, nothing outside. */
import { join } from 'node:path';
import { loadConfiguration } from './desktop.mjs';

/** @returns the script to run */
export async function buildExpected(root) {
  const { build } = await import('vite');
  const { cli } = (await loadConfiguration(root, 'build')).config;
  const folder = join(root, 'out', 'expected');
  await build({
    ...cli,
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ...cli.build,
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: {
        ...cli.build.rollupOptions,
        input: { main: 'test/expected/main.ts', worker: 'test/expected/worker.ts' },
      },
    },
  });
  return join(folder, 'main.js');
}
