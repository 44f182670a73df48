import { defineConfig } from 'vitest/config';

/** Half an hour of play, watching memory: `npm run soak`. */
export default defineConfig({
  test: {
    include: ['test/e2e/desktop/soak.ts'],
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    testTimeout: 7_200_000,
    hookTimeout: 300_000,
  },
});
