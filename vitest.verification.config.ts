import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';

/**
 * The verification at its full size, a quarter of an hour: `npm run verify`.
 * SHOAL_VERIFICATION_BACKEND is `reference` (the default), `wasm` or `webgpu`; SHOAL_VERIFICATION_CASES picks cases ('V1,L5').
 */
export default defineConfig({
  plugins: [kernels()],
  test: {
    include: ['test/verification/**/*.full.ts'],
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: ['test/setup/matchers.ts'],
    pool: 'forks',
    disableConsoleIntercept: true,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
});
