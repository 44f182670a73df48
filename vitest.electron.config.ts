import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';

/**
 * The journeys in the desktop window, where Electron's runtime is: `npx vitest run --config vitest.electron.config.ts`. Files
 * and exports are left to Chromium: in the window they pass through the system's own dialogs, which no script can answer.
 */
export default defineConfig({
  plugins: [kernels()],
  test: {
    include: ['first-launch', 'transport', 'stage', 'settings', 'keyboard', 'window'].map(
      (journey) => `test/e2e/desktop/${journey}.test.ts`,
    ),
    env: { SHOAL_E2E_HOST: 'electron' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
