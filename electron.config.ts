/**
 * One configuration for everything that is built from these sources: the command line's bundle, and beside it the desktop
 * application's main process, preload script and renderer.
 */
import type { UserConfig } from 'vite';

/** Node bundle of app/cli: packages stay outside, WGSL comes in as text (`?raw`), commands are loaded when first used. */
const cli: UserConfig = {
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: {
        main: 'app/cli/main.ts',
        'adapter-probe': 'app/cli/adapter-probe.ts',
        'engine-worker': 'app/cli/run/engine-worker.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
};

export default { cli };
