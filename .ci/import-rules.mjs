/**
 * Holds the import rules that a linter does not know: in the engine and in the application imports only go down the floors, a folder
 * that has an index.ts is entered by it, and no imports go round in circles, imports of types included. Prints one line a violation and
 * exits 1.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** From the ground up: a room may import from its own floor and the floors beneath. */
const FLOORS = {
  engine: [
    ['errors.ts', 'problem.ts', 'words.ts', 'files', 'random', 'settings', 'statistics', 'compute'],
    ['operators', 'models'],
    ['bathymetry', 'cases', 'forcing', 'initial-states', 'methods', 'model-kinds', 'networks'],
    ['scenario'],
    ['experiment'],
    ['consistency', 'performance'],
    ['run'],
    ['output', 'benchmarks', 'check', 'guard'],
    ['sweep', 'tune'],
    ['index.ts'],
  ],
  app: [
    ['bundle', 'files', 'preload', 'workers'],
    ['host'],
    ['fields'],
    ['format'],
    ['plot'],
    ['page'],
    ['document'],
    ['controls'],
    ['form'],
    ['figures'],
    ['stage'],
    ['report'],
    ['check'],
    [
      'features/benchmarks',
      'features/branches',
      'features/check',
      'features/reading',
      'features/saving',
      'features/world',
      'features/x-ray',
    ],
    ['features/inside', 'features/links', 'features/playback'],
    ['features/lessons'],
    ['features/opening'],
    ['features/runs', 'features/sweeps'],
    ['features/about', 'features/seeds', 'features/tuning'],
    ['features/gallery'],
    ['shell'],
    ['server'],
    ['cli', 'library', 'main', 'site'],
  ],
};
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g;

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.as)\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** @returns the room that a file is in, and how high it is; undefined outside of both parts */
function floorOf(path) {
  const [part, first, second] = relative(root, path).split(sep);
  if (!Object.hasOwn(FLOORS, part)) return undefined;
  const place = first === 'features' ? `${first}/${second}` : first;
  return { part, place, level: FLOORS[part].findIndex((floor) => floor.includes(place)) };
}

function isInside(folder, path) {
  return path.startsWith(folder + sep);
}

function violations(importer, target) {
  const found = [];
  const [from, to] = [floorOf(importer), floorOf(target)];
  if (from && from.part === to?.part && to.level > from.level) {
    found.push(`${from.part}/${from.place} is beneath ${to.part}/${to.place}`);
  }
  const room = dirname(target);
  const index = join(room, 'index.ts');
  // No index loads a backend's parts, which come when first used; those of one room may use those of another.
  const betweenParts = ['webgpu', 'wasm'].some((backend) =>
    [importer, target].every((path) => basename(path).startsWith(backend)),
  );
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
for (const importer of ['engine', 'app'].flatMap((folder) => filesUnder(join(root, folder)))) {
  const floor = floorOf(importer);
  if (floor?.level === -1)
    problems.push(`${relative(root, importer)}: ${floor.part}/${floor.place} has no floor in ${import.meta.url}`);
  graph.set(importer, []);
  for (const [, specifier] of readFileSync(importer, 'utf8').matchAll(IMPORT)) {
    const target = resolve(dirname(importer), specifier.replace(/\?.*$/, ''));
    graph.get(importer).push(target);
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
