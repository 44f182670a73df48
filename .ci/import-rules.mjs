/**
 * Holds the import rules that a linter does not know: in the engine and in the application imports only go down the floors, a folder
 * that has an index.ts is entered by it, and no imports go round in circles, imports of types included. Prints one line a violation and
 * exits 1.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { floorOf, importsByFile, root, runsUp } from './import-graph.mjs';

function isInside(folder, path) {
  return path.startsWith(folder + sep);
}

function placeName(path) {
  const { part, place } = floorOf(path);
  return `${part}/${place}`;
}

function violations(importer, target) {
  const found = [];
  if (runsUp(importer, target)) found.push(`${placeName(importer)} is beneath ${placeName(target)}`);
  const room = dirname(target);
  const index = join(room, 'index.ts');
  // No index loads a backend's parts, which come when first used; those of one room may use those of another.
  const betweenParts = [importer, target].every((path) => /^(devices|wasm|webgpu)/.test(basename(path)));
  if (target !== index && existsSync(index) && !isInside(room, importer) && !betweenParts) {
    found.push(`${relative(root, room)} is entered by its index.ts`);
  }
  return found;
}

/** Circles of imports, each as the files of it in their order; a circle is found once. @param graph imports by file */
function circles(graph) {
  const found = [];
  const done = new Set();
  const path = [];
  const visit = (file) => {
    if (done.has(file)) return;
    const at = path.indexOf(file);
    if (at >= 0) {
      found.push(path.slice(at));
      return;
    }
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

const problems = [];
const graph = new Map();
for (const [importer, imports] of importsByFile()) {
  if (floorOf(importer)?.level === -1) {
    problems.push(`${relative(root, importer)}: ${placeName(importer)} has no floor in .ci/import-graph.mjs`);
  }
  graph.set(
    importer,
    imports.map(({ target }) => target),
  );
  for (const { specifier, target } of imports) {
    for (const why of violations(importer, target)) {
      problems.push(`${relative(root, importer)}: imports ${specifier}; ${why}`);
    }
  }
}
for (const circle of circles(graph)) {
  problems.push(`imports go round: ${[...circle, circle[0]].map((file) => relative(root, file)).join(' -> ')}`);
}
process.stdout.write(problems.map((line) => `${line}\n`).join(''));
process.exitCode = problems.length > 0 ? 1 : 0;
