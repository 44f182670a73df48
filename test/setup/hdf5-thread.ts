/** Threads that read HDF5 files for tests that run from the sources: the command line's own script, built by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { startThread } from '../../app/cli/thread.ts';
import type { Hdf5StarterPort } from '../../engine/index.ts';
import configuration from '../../electron.config.ts';

export interface Hdf5Threads {
  /** @param mostBytes of memory for the library */
  start(mostBytes?: number): Hdf5StarterPort;
  dispose(): void;
}

export async function buildHdf5Thread(): Promise<Hdf5Threads> {
  const root = new URL('../..', import.meta.url).pathname;
  // Its packages are found from where it is.
  const folder = mkdtempSync(join(root, 'node_modules/.cache/shoal-hdf5-thread-'));
  const { cli } = configuration;
  const input = { 'hdf5-worker': 'app/cli/hdf5-worker.ts' };
  await build({
    ...cli,
    root,
    configFile: false,
    logLevel: 'error',
    build: { ...cli.build, outDir: folder, rollupOptions: { ...cli.build?.rollupOptions, input } },
  });
  return {
    start: (mostBytes = 2 ** 30) => startThread(folder, 'hdf5-worker.js', mostBytes, { maxOldGenerationSizeMb: 512 }),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
