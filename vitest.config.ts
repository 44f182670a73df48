import { defineConfig } from 'vitest/config';
import { kernels } from './app/cli/bootstrap/kernels.mjs';
import { LongestFirst } from './test/setup/longest-first.ts';
import { filesOf, ONLY_DAILY } from './test/setup/nightly.ts';

/** Tests of the window, in a browser. */
const JOURNEYS = 'test/e2e/desktop/*.test.ts';
/** Tests of the desktop application, in Electron. */
const ELECTRON = 'test/electron/*.test.ts';
/** Tests of the page, in Firefox and WebKit. */
const BROWSERS = 'test/browsers/*.test.ts';
/** Tests of the command line, in processes. */
const COMMANDS = 'test/e2e/*.test.ts';
const REGRESSION = 'test/bench/regression/*.test.ts';
/** What replaces modules, counts the memory of its process, or measures its machine. */
const LONE = [
  'test/unit/experiment/{memory-estimate,start-memory}.test.ts',
  'test/unit/host/{archive,window}.test.ts',
  'test/unit/output/long-run.test.ts',
  'test/unit/run/ceiling-measurement.test.ts',
  'test/unit/server/server.test.ts',
];

/**
 * Tests import the sources. The global set-up finds a software Vulkan driver before the workers are forked. First come the
 * commands, then journeys through the window, two at a time, since half of each is waiting for something to appear; then the
 * rest, the short files last. No worker waits between them. What is timed comes last, by itself. Files that take very long run in
 * `npm run nightly` instead.
 */
export default defineConfig({
  plugins: [kernels()],
  test: {
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: ['test/setup/matchers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Many times what an idle machine needs.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          ...filesOf('units', ['test/**/*.test.ts'], [JOURNEYS, ELECTRON, BROWSERS, COMMANDS, REGRESSION, ...LONE]),
          // No module of ours has a state: the files of a worker share them, and do not load them again, two seconds each.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'lone units',
          ...filesOf('lone units', LONE),
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'commands',
          ...filesOf('commands', [COMMANDS]),
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A process may stall on a shared machine past a wait; what is wrong is wrong twice.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          ...filesOf('journeys', [JOURNEYS]),
          // Its files share the modules, and one browser.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A browser that draws on a shared CPU may stall past a wait; what is wrong is wrong twice.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'electron',
          ...filesOf('electron', [ELECTRON]),
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // As for the journeys.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'browsers',
          ...filesOf('browsers', [BROWSERS]),
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // As for the journeys.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'regression',
          include: [REGRESSION],
          exclude: [...ONLY_DAILY],
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Beside nothing else of this run.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
