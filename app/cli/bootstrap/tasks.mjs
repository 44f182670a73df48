/** A developer's tasks, as `npm test` and `npm run NAME` start them: most are a list of tools of node_modules. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { freshBundle } from './bundle.mjs';
import { freshDesktop, forgetDesktop, loadConfiguration } from './desktop.mjs';
import { runInItsPlace } from './in-its-place.mjs';
import { buildDocs, buildLibrary, buildSite } from './library.mjs';
import { buildForPackage, runPackager } from './pack.mjs';

/**
 * @param input modules by name; the one that is started is `main`
 * @returns the script to run
 */
async function buildTool(root, name, input) {
  const { build } = await import('vite');
  const { cli } = (await loadConfiguration(root, 'build')).config;
  const folder = join(root, 'out', name);
  await build({
    ...cli,
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['webgpu'] },
    build: {
      ...cli.build,
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { ...cli.build.rollupOptions, input },
    },
  });
  return join(folder, 'main.js');
}

/**
 * Builds the programs of the tests that a developer starts by `npm run`: a folder of plain modules each, under out/. Packages are inside,
 * but for WebGPU's, which is a native one, so that a folder runs on a machine that has nothing but Node.
 *
 * The program that fills in the shipped scenarios' expected results.
 */
function buildExpected(root) {
  const input = {
    main: 'test/expected/main.ts',
    'sweep-worker': 'app/cli/sweep/worker.ts',
    'kernel-thread': 'app/cli/kernel-thread.ts',
    'hdf5-worker': 'app/cli/hdf5-worker.ts',
  };
  return buildTool(root, 'expected', input);
}

/** The program that times Shoal beside Python. */
function buildCompare(root) {
  const input = {
    main: 'test/bench/compare/main.ts',
    'kernel-thread': 'app/cli/kernel-thread.ts',
    'adapter-probe': 'app/cli/adapter-probe.ts',
  };
  return buildTool(root, 'compare', input);
}

/** @returns the path of Electron's executable, or undefined where it is not or could show no window */
async function electronHere(root) {
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(join(root, 'app', 'server', 'browser.ts'));
  const { findElectron, hasDisplay, thisSystem } = module;
  return hasDisplay(thisSystem) ? findElectron(root) : undefined;
}

/** Serves the page from its sources until it is interrupted. */
async function servePage(root) {
  const { createServer } = await import('vite');
  const { config, mode } = await loadConfiguration(root, 'serve');
  const server = await createServer({ ...config.renderer, configFile: false, mode });
  await server.listen();
  server.printUrls();
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await server.close();
  return 0;
}

/**
 * `npm run dev`: the application from its sources, which shows what is changed as soon as it is. Where Electron's runtime and
 * a display are, electron-vite runs it: main process and preload script are built and started again, the page is loaded
 * again. Elsewhere the page is served to a browser.
 *
 * @param runTool runs electron-vite, with more in its environment
 */
async function develop(root, runTool) {
  const executable = await electronHere(root);
  if (executable === undefined) {
    process.stderr.write("shoal: no window here (Electron's runtime or a display is missing); for the browser:\n");
    return servePage(root);
  }
  forgetDesktop(root);
  return runTool({ ELECTRON_EXEC_PATH: executable });
}

const TYPES = { title: 'types', tool: 'typescript', bin: 'tsc', args: [] };
const PAGE_TYPES = { title: 'types of the page', tool: 'typescript', bin: 'tsc', args: ['-p', 'app'] };
/** Whether the declarations of the library can be written. */
const LIBRARY_TYPES = {
  title: 'types of the library',
  tool: 'typescript',
  bin: 'tsc',
  args: ['-p', 'tsconfig.library.json', '--noEmit', '--emitDeclarationOnly', 'false'],
};
const LINT = { title: 'lint', tool: 'oxlint', bin: 'oxlint', args: ['--max-warnings=0'] };
const FORMAT = { title: 'format', tool: 'oxfmt', bin: 'oxfmt', args: ['--check', '.'] };
const IMPORTS = { title: 'import rules', script: '.ci/import-rules.mjs', args: [] };
const KERNELS = { title: 'kernels', script: 'app/cli/bootstrap/kernels.mjs', args: [] };
const UNUSED = { title: 'unused exports', tool: 'knip', bin: 'knip', args: ['--no-progress'] };
const STATE = { title: 'state rules', script: '.ci/state-rules.mjs', args: [] };
const WORDS = { title: 'words', script: '.ci/word-rules.mjs', args: [] };
const TESTS = { title: 'tests', tool: 'vitest', bin: 'vitest', args: ['run'], takesArguments: true };

/** Those that take longest first. */
const RULES = [LINT, PAGE_TYPES, TYPES, LIBRARY_TYPES, UNUSED, FORMAT, WORDS, IMPORTS, STATE, KERNELS];

/** Tests that `npm test` does not run; vitest.config.ts has them. */
function tests(name, title = name) {
  return { ...TESTS, title, environment: { SHOAL_TESTS: name } };
}

const TASKS = {
  test: [TESTS],
  check: [...RULES, TESTS],
  'check:static': RULES,
  nightly: [tests('nightly', 'long tests'), tests('verification')],
  verify: [tests('verification')],
  soak: [tests('soak')],
  blocking: [tests('blocking')],
  gpu: [tests('gpu')],
  screenshots: [tests('screenshots')],
};

/** The script behind a package's command: run by this Node, it needs neither a shell nor the .bin folder. */
function scriptOf(root, { tool, bin, script }) {
  if (script) return resolve(root, script);
  const folder = join(root, 'node_modules', tool);
  return join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin[bin]);
}

/** @param hear is handed what the step writes, instead of the terminal */
async function runStep(root, step, extra = [], hear) {
  const args = [scriptOf(root, step), ...step.args, ...(step.takesArguments ? extra : [])];
  const environment = { ...process.env, ...step.environment };
  return { title: step.title, ...(await runInItsPlace(process.execPath, args, { cwd: root, environment, hear })) };
}

/** Runs steps side by side, as many as there are cores, and prints title and output of each as it ends. @returns how they ended */
async function runTogether(root, steps) {
  const ends = [];
  const left = [...steps];
  const runSome = async () => {
    while (left.length > 0 && !ends.some(({ interrupted }) => interrupted)) {
      const said = [];
      const end = await runStep(root, left.shift(), [], (part) => said.push(part));
      process.stderr.write(Buffer.concat([Buffer.from(`— ${end.title}\n`), ...said]));
      ends.push(end);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runSome));
  return ends;
}

const DEVELOP = {
  title: 'development',
  tool: 'electron-vite',
  bin: 'electron-vite',
  args: ['dev', '--config', 'electron.config.ts', '--watch'],
};

const PACKAGE = {
  title: 'package',
  tool: 'electron-builder',
  bin: 'electron-builder',
  args: ['--config', 'electron-builder.config.mjs', '--publish', 'never'],
};

/** Tasks that are more than a list of tools. */
const OWN_TASKS = {
  dev: (root) => develop(root, async (environment) => (await runStep(root, { ...DEVELOP, environment })).code),
  build: async (root) => {
    await freshDesktop(root);
    return 0;
  },
  package: async (root, extra) => {
    await freshDesktop(root);
    return runPackager(process.execPath, [scriptOf(root, PACKAGE), ...PACKAGE.args, ...extra], root);
  },
  pack: buildForPackage,
  site: buildSite,
  library: buildLibrary,
  docs: buildDocs,
  'bench:compare': async (root, extra) => {
    const script = await buildCompare(root);
    return (await runStep(root, { script, args: [], takesArguments: true }, extra)).code;
  },
  expected: async (root, extra) => {
    const script = await buildExpected(root);
    return (await runStep(root, { script, args: [], takesArguments: true }, extra)).code;
  },
};

/**
 * Runs every step of a task, the rules side by side before the others, so that one call reports all faults; daily tests only if
 * there are none.
 *
 * @returns the exit code: of the first step that failed, or 0
 */
export async function runTask(root, name, extra) {
  if (Object.hasOwn(OWN_TASKS, name)) return OWN_TASKS[name](root, extra);
  if (!Object.hasOwn(TASKS, name)) {
    process.stderr.write(`shoal: no task '${name}'; there are ${Object.keys({ ...TASKS, ...OWN_TASKS }).join(', ')}\n`);
    return 2;
  }
  // Tests that start the command line as a user does need a built bundle.
  if (TASKS[name].some(({ tool }) => tool === TESTS.tool)) await freshBundle(root);
  const rules = TASKS[name].filter((step) => RULES.includes(step));
  const ends = await runTogether(root, rules);
  for (const step of TASKS[name].slice(rules.length)) {
    if (ends.some(({ code, interrupted }) => interrupted || (code !== 0 && step === TESTS))) break;
    if (TASKS[name].length > 1) process.stderr.write(`— ${step.title}\n`);
    ends.push(await runStep(root, step, extra));
  }
  const failed = ends.filter(({ code }) => code !== 0);
  if (failed.length > 0) process.stderr.write(`shoal: failed: ${failed.map(({ title }) => title).join(', ')}\n`);
  return failed[0]?.code ?? 0;
}
