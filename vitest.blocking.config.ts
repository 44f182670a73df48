import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';

/** How long the page is held up by user input: `node app/cli/bootstrap.mjs --task blocking`. */
export default defineConfig({
  plugins: [kernels()],
  test: {
    include: ['test/e2e/desktop/blocking.ts'],
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
