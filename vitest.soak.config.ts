import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';

/** Half an hour of play, watching memory: `npm run soak`. */
export default defineConfig({
  plugins: [kernels()],
  test: {
    include: ['test/e2e/desktop/soak.ts'],
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    testTimeout: 7_200_000,
    hookTimeout: 300_000,
  },
});
