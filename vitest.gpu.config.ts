import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';

/** Journeys and figures of the page on a GPU: `node app/cli/bootstrap.mjs --task gpu`; test/gpu/README.md. */
export default defineConfig({
  plugins: [kernels()],
  test: {
    include: [
      'test/e2e/desktop/{first-launch,stage,xray,fork,film,device}.test.ts',
      'test/gpu/results.ts',
      'test/gpu/figures.ts',
    ],
    globalSetup: ['test/gpu/find-hardware.ts'],
    setupFiles: ['test/setup/matchers.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    disableConsoleIntercept: true,
    reporters: ['verbose'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
