import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';

/** Regenerates the pictures of assets/screenshots from the running application: `npm run screenshots`. */
export default defineConfig({
  plugins: [kernels()],
  test: {
    include: ['test/e2e/desktop/screenshots.ts', 'test/electron/screenshot.ts'],
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
