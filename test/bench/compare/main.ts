/**
 * `npm run bench:compare [-- suite… [--native] [--quick] [--threads N] [--rounds N] [--python COMMAND] [--markdown FILE] [--json FILE]]`:
 * times Shoal (`wasm`, and `webgpu` if there is a GPU), the same kernels in C and what a Python user would write, on the same
 * numbers, one after the other, and prints how far `wasm` is from C, then all rows. `--native` is without Python. What is missing
 * is said; the exit code is 1 where something failed or computed something else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findAdapter } from '../../../app/cli/adapters.ts';
import { writeDocument, writeText } from '../../../app/cli/targets.ts';
import { thisMachine } from '../../../app/cli/installation.ts';
import { openBackend } from '../../../app/cli/open-backend.ts';
import type { TimeBudget } from '../../../engine/index.ts';
import { compare } from './compare.ts';
import type { Contender } from './compare.ts';
import { comparisonsOf } from './comparisons.ts';
import { buildNative } from './native.ts';
import type { Native } from './native.ts';
import { findPython, missingLines } from './python.ts';
import type { Python } from './python.ts';
import { comparisonMarkdown, formatComparison } from './table.ts';

const bundleFolder = dirname(fileURLToPath(import.meta.url));
const root = join(bundleFolder, '..', '..');
const BUDGET: TimeBudget = { milliseconds: 500, longestMilliseconds: 10_000 };
const QUICK_BUDGET: TimeBudget = { milliseconds: 100, longestMilliseconds: 4000 };

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** @throws Error where the text is no count */
function countOf(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${option} ${text}: a whole number from 1 on is needed`);
  return count;
}

/** `wasm` on one thread and on all that may be used, and a GPU if there is a real one. */
async function openContenders(most: number): Promise<readonly Contender[]> {
  const adapter = await findAdapter({ root, bundleFolder, launcher: '' });
  const counts = most === 1 ? [1] : [1, most];
  const contenders: Contender[] = [];
  for (const threads of counts) {
    const backend = await openBackend('wasm', { bundleFolder, threads });
    contenders.push({ who: `wasm, ${threads} ${threads === 1 ? 'thread' : 'threads'}`, backend });
  }
  if (adapter && !adapter.software) {
    contenders.push({ who: 'webgpu', backend: await openBackend('webgpu', { bundleFolder }) });
  }
  return contenders;
}

function aboutOf(
  contenders: readonly Contender[],
  { compiler }: Native,
  python: Python | undefined,
  most: number,
): string {
  const { processor, cores, system } = thisMachine();
  const adapters = contenders.filter(({ backend }) => backend.name === 'webgpu').map(({ backend }) => backend.adapter);
  const libraries = Object.entries(python?.libraries ?? {}).flatMap(([name, version]) =>
    version === null ? [] : [`${name} ${version}`],
  );
  const threads = most === 1 ? '1 thread' : `1 or ${most} threads, whichever was quicker`;
  const versions = [
    `Node ${process.versions.node}`,
    ...(compiler === undefined ? [] : [compiler]),
    ...(python ? [`Python ${python.version}`, ...libraries, `its libraries on ${threads}`] : []),
  ];
  return `${[processor, `${cores} cores`, ...adapters].join(', ')}, ${system}; ${versions.join(', ')}; float32 unless said.`;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      native: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      threads: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      python: { type: 'string' },
      markdown: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const comparisons = comparisonsOf(positionals, values.quick);
  const threads = values.threads === undefined ? undefined : countOf('threads', values.threads);
  const rounds = countOf('rounds', values.rounds);
  const candidates = values.python === undefined ? ['python3', '/usr/bin/python3', 'python'] : [values.python];
  const found = values.native ? undefined : await findPython(candidates);
  const python = found?.libraries.numpy === null ? undefined : found;
  const most = threads ?? availableParallelism();
  const programs = mkdtempSync(join(tmpdir(), 'shoal-native-'));
  const native = await buildNative(join(root, 'test', 'bench', 'native'), programs);
  const contenders = await openContenders(most);
  const about = aboutOf(contenders, native, python, most);
  say(about);
  try {
    const { rows, failures } = await compare(comparisons, {
      contenders,
      python,
      scripts: join(root, 'test', 'bench', 'python'),
      programs: native.missing === undefined ? programs : undefined,
      threads: most === 1 ? [1] : [1, most],
      rounds,
      budget: values.quick ? QUICK_BUDGET : BUDGET,
      progress: (line) => process.stderr.isTTY && say(line),
    });
    for (const line of formatComparison(rows)) process.stdout.write(`${line}\n`);
    const missing = [
      ...(native.missing === undefined ? [] : [native.missing]),
      ...(values.native ? [] : missingLines(found)),
    ];
    for (const line of missing) process.stdout.write(`${line}\n`);
    for (const failure of failures) say(`failed: ${failure}`);
    if (values.markdown !== undefined) await writeText(values.markdown, comparisonMarkdown(rows, about));
    if (values.json !== undefined) await writeDocument(values.json, { about, rows, failures });
    return failures.length > 0 ? 1 : 0;
  } finally {
    for (const { backend } of contenders) backend.dispose();
    rmSync(programs, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
