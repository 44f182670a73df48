/** A developer's tasks, as `npm test` and `npm run NAME` start them: most are a list of tools of node_modules, run in order. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freshBundle } from './bundle.mjs';
import { freshDesktop } from './desktop.mjs';
import { develop } from './develop.mjs';
import { runInItsPlace } from './in-its-place.mjs';
import { buildDocs, buildLibrary } from './library.mjs';
import { buildForPackage } from './pack.mjs';
import { runPackager } from './package.mjs';
import { buildSite } from './site.mjs';
import { buildCompare, buildExpected } from './tool.mjs';

const TYPES = { title: 'types', tool: 'typescript', bin: 'tsc', args: [] };
const PAGE_TYPES = { title: 'types of the page', tool: 'typescript', bin: 'tsc', args: ['-p', 'app'] };
const LINT = { title: 'lint', tool: 'oxlint', bin: 'oxlint', args: ['--max-warnings=0'] };
const FORMAT = { title: 'format', tool: 'oxfmt', bin: 'oxfmt', args: ['--check', '.'] };
const IMPORTS = { title: 'import rules', script: '.ci/import-rules.mjs', args: [] };
const KERNELS = { title: 'kernels', script: 'app/cli/bootstrap/kernels.mjs', args: [] };
const UNUSED = { title: 'unused exports', tool: 'knip', bin: 'knip', args: ['--no-progress'] };
const STATE = { title: 'state rules', script: '.ci/state-rules.mjs', args: [] };
const WORDS = { title: 'words', script: '.ci/word-rules.mjs', args: [] };
const TESTS = { title: 'tests', tool: 'vitest', bin: 'vitest', args: ['run'], takesArguments: true };

/** Vitest with a configuration of its own. */
function configured(name) {
  return { ...TESTS, title: name, args: ['run', '--config', `vitest.${name}.config.ts`] };
}

const TASKS = {
  test: [TESTS],
  check: [TYPES, PAGE_TYPES, KERNELS, LINT, FORMAT, IMPORTS, UNUSED, STATE, WORDS, TESTS],
  'check:static': [TYPES, PAGE_TYPES, KERNELS, LINT, FORMAT, IMPORTS, UNUSED, STATE, WORDS],
  nightly: [{ ...TESTS, title: 'long tests', environment: { SHOAL_NIGHTLY: 'true' } }, configured('verification')],
  verify: [configured('verification')],
  soak: [configured('soak')],
  blocking: [configured('blocking')],
  gpu: [configured('gpu')],
  screenshots: [configured('screenshots')],
};

/** The script behind a package's command: run by this Node, it needs neither a shell nor the .bin folder. */
function scriptOf(root, { tool, bin, script }) {
  if (script) return resolve(root, script);
  const folder = join(root, 'node_modules', tool);
  return join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin[bin]);
}

async function runStep(root, step, extra = []) {
  const args = [scriptOf(root, step), ...step.args, ...(step.takesArguments ? extra : [])];
  const environment = { ...process.env, ...step.environment };
  return (await runInItsPlace(process.execPath, args, { cwd: root, environment })).code;
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
  dev: (root) => develop(root, (environment) => runStep(root, { ...DEVELOP, environment })),
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
    return runStep(root, { script, args: [], takesArguments: true }, extra);
  },
  expected: async (root, extra) => {
    const script = await buildExpected(root);
    return runStep(root, { script, args: [], takesArguments: true }, extra);
  },
};

/** @returns the exit code: of the first step that failed, or 0 */
export async function runTask(root, name, extra) {
  if (Object.hasOwn(OWN_TASKS, name)) return OWN_TASKS[name](root, extra);
  if (!Object.hasOwn(TASKS, name)) {
    process.stderr.write(`shoal: no task '${name}'; there are ${Object.keys({ ...TASKS, ...OWN_TASKS }).join(', ')}\n`);
    return 2;
  }
  // Tests that start the command line as a user does need a built bundle.
  if (TASKS[name].some(({ tool }) => tool === TESTS.tool)) await freshBundle(root);
  for (const step of TASKS[name]) {
    if (TASKS[name].length > 1) process.stderr.write(`— ${step.title}\n`);
    const code = await runStep(root, step, extra);
    if (code !== 0) return code;
  }
  return 0;
}
