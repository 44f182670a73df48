/**
 * Prints the measures of the code base as a table in Markdown: `node .ci/measures.mjs`. It judges nothing: what must hold is in the
 * rules beside it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { importsByFile, root, runsUp } from './import-graph.mjs';

/** A file of at most so many lines that one other imports belongs in that one. */
const SMALL = 40;

const linesOf = (file) => readFileSync(file, 'utf8').split('\n').length - 1;

/** Every file of the two parts, whatever its kind. */
const files = ['app', 'engine'].flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
);

const graph = importsByFile();
const importersOf = new Map();
let up = 0;
for (const [importer, imports] of graph) {
  for (const target of new Set(imports.map((each) => each.target))) {
    if (runsUp(importer, target)) up += 1;
    importersOf.set(target, (importersOf.get(target) ?? 0) + 1);
  }
}
const small = [...graph.keys()].filter((file) => importersOf.get(file) === 1 && linesOf(file) <= SMALL);

/** @returns unused exports, of values and of types */
function unusedExports() {
  const knip = join(root, 'node_modules/knip/bin/knip.js');
  const { stdout } = spawnSync(process.execPath, [knip, '--no-progress', '--reporter', 'json'], {
    cwd: root,
    encoding: 'utf8',
  });
  const { issues } = JSON.parse(stdout);
  const count = (kind) => issues.reduce((sum, issue) => sum + (issue[kind]?.length ?? 0), 0);
  return `${count('exports')} + ${count('types')} types`;
}

/** @returns phrases of the word list in the whole repository */
function phrases() {
  const rules = join(root, '.ci/word-rules.mjs');
  return spawnSync(process.execPath, [rules, '--count'], { encoding: 'utf8' }).stdout.trim().split('\n').at(-1);
}

const rows = [
  ['lines in app and engine', files.reduce((sum, file) => sum + linesOf(file), 0)],
  ['files in app and engine', files.length],
  ['imports that run up the floors', up],
  [`files of at most ${SMALL} lines with one importer`, small.length],
  ['unused exports', unusedExports()],
  ['phrases of the word list', phrases()],
];
process.stdout.write(`| measure | now |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`);
if (process.argv.includes('--small')) {
  process.stdout.write(`\n${small.map((file) => `${relative(root, file)} ${linesOf(file)}\n`).join('')}`);
}
