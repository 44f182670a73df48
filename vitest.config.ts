import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
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

type Tests = NonNullable<ViteUserConfig['test']>;

const MATCHERS = ['test/setup/matchers.ts'];
const FIND_VULKAN = ['test/setup/global-setup.ts'];
const HALF_AN_HOUR = 1_800_000;

/** Tests that run alone: SHOAL_TESTS names them. */
const ALONE: Readonly<Record<string, Tests>> = {
  /** How long the page is held up by user input: `node app/cli/bootstrap.mjs --task blocking`. */
  blocking: { include: ['test/e2e/desktop/blocking.ts'], testTimeout: HALF_AN_HOUR },
  /** Journeys and figures of the page on a GPU: `node app/cli/bootstrap.mjs --task gpu`; test/gpu/README.md. */
  gpu: {
    include: [
      'test/e2e/desktop/{first-launch,stage,xray,fork,film,device}.test.ts',
      'test/gpu/results.ts',
      'test/gpu/figures.ts',
    ],
    globalSetup: ['test/gpu/find-hardware.ts'],
    setupFiles: MATCHERS,
    isolate: false,
    reporters: ['verbose'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 600_000,
  },
  /** Regenerates the pictures of assets/screenshots from the running application: `npm run screenshots`. */
  screenshots: { include: ['test/e2e/desktop/screenshots.ts', 'test/electron/screenshot.ts'], testTimeout: 600_000 },
  /** Half an hour of play, watching memory: `npm run soak`. */
  soak: { include: ['test/e2e/desktop/soak.ts'], testTimeout: 4 * HALF_AN_HOUR },
  /**
   * The verification at its full size, a quarter of an hour: `npm run verify`.
   * SHOAL_VERIFICATION_BACKEND is `reference` (the default), `wasm` or `webgpu`; SHOAL_VERIFICATION_CASES picks cases ('V1,L5').
   */
  verification: {
    include: ['test/verification/**/*.full.ts'],
    globalSetup: FIND_VULKAN,
    setupFiles: MATCHERS,
    maxWorkers: 2,
    testTimeout: 2 * HALF_AN_HOUR,
  },
};

/**
 * Tests import the sources. The global set-up finds a software Vulkan driver before the workers are forked. First come the
 * commands, then journeys through the window, then the rest, the short files last; no worker waits between them. Three at a time
 * keep two cores busy, since a third of the time of commands, windows and kernels is waiting. What is timed comes last, by itself.
 * Files that take very long run in `npm run nightly` instead.
 */
const MANY: Tests = {
  globalSetup: FIND_VULKAN,
  setupFiles: MATCHERS,
  pool: 'forks',
  maxWorkers: 3,
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
        // Its files share the modules, which take several seconds to load.
        isolate: false,
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
};

/** @throws Error for tests that there are not */
function testsOf(asked: string): Tests {
  if (asked === 'daily' || asked === 'nightly') return MANY;
  const alone = ALONE[asked];
  if (!alone) {
    const allowed = ['daily', 'nightly', ...Object.keys(ALONE)].join(', ');
    throw new Error(`SHOAL_TESTS: found ${asked}, allowed: ${allowed}`);
  }
  return { pool: 'forks', maxWorkers: 1, disableConsoleIntercept: true, hookTimeout: 300_000, ...alone };
}

export default defineConfig({ plugins: [kernels()], test: testsOf(process.env['SHOAL_TESTS'] ?? 'daily') });
