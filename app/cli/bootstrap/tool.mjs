/**
 * Builds the programs of the tests that a developer starts by `npm run`: a folder of plain modules each, under out/. Packages are inside,
 * but for WebGPU's, which is a native one, so that a folder runs on a machine that has nothing but Node.
 */
import { join } from 'node:path';
import { loadConfiguration } from './desktop.mjs';

/**
 * @param input modules by name; the one that is started is `main`
 * @returns the script to run
 */
async function buildTool(root, name, input) {
  const { build } = await import('vite');
  const { cli } = (await loadConfiguration(root, 'build')).config;
  const folder = join(root, 'out', name);
  await build({
    ...cli,
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['webgpu'] },
    build: {
      ...cli.build,
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { ...cli.build.rollupOptions, input },
    },
  });
  return join(folder, 'main.js');
}

/** The program that fills in the shipped scenarios' expected results. */
export function buildExpected(root) {
  const input = {
    main: 'test/expected/main.ts',
    'sweep-worker': 'app/cli/sweep/worker.ts',
    'kernel-thread': 'app/cli/kernel-thread.ts',
    'hdf5-worker': 'app/cli/hdf5-worker.ts',
  };
  return buildTool(root, 'expected', input);
}

/** The program that times Shoal beside Python. */
export function buildCompare(root) {
  const input = {
    main: 'test/bench/compare/main.ts',
    'kernel-thread': 'app/cli/kernel-thread.ts',
    'adapter-probe': 'app/cli/adapter-probe.ts',
  };
  return buildTool(root, 'compare', input);
}
