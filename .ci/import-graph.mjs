/** The modules of engine and application, the floors that they are on, and what imports what. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** From the ground up: a room may import from its own floor and the floors beneath. */
const FLOORS = {
  engine: [
    ['errors.ts', 'words.ts', 'files', 'random', 'settings', 'statistics', 'compute'],
    ['operators', 'models'],
    ['bathymetry', 'cases', 'forcing', 'initial-states', 'methods', 'model-kinds', 'networks'],
    ['scenario'],
    ['experiment'],
    ['consistency', 'impact', 'performance'],
    ['run'],
    ['output', 'benchmarks', 'check', 'guard'],
    ['papers'],
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
    ['check', 'services'],
    [
      'features/benchmarks',
      'features/branches',
      'features/check',
      'features/filming',
      'features/reading',
      'features/saving',
      'features/world',
      'features/x-ray',
    ],
    [
      'features/difference',
      'features/impact',
      'features/inside',
      'features/links',
      'features/papers',
      'features/playback',
    ],
    ['features/lessons'],
    ['features/opening'],
    ['features/runs', 'features/sweeps'],
    ['features/about', 'features/course', 'features/presenting', 'features/seeds', 'features/tuning'],
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
export function floorOf(path) {
  const [part, first, second] = relative(root, path).split(sep);
  if (!Object.hasOwn(FLOORS, part)) return undefined;
  const place = first === 'features' ? `${first}/${second}` : first;
  return { part, place, level: FLOORS[part].findIndex((floor) => floor.includes(place)) };
}

/** @returns by module, what it imports: the specifier and the file that it means */
export function importsByFile() {
  return new Map(
    ['engine', 'app']
      .flatMap((folder) => filesUnder(join(root, folder)))
      .map((file) => [
        file,
        [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, specifier]) => ({
          specifier,
          target: resolve(dirname(file), specifier.replace(/\?.*$/, '')),
        })),
      ]),
  );
}

/** @returns whether an import runs up the floors */
export function runsUp(importer, target) {
  const [from, to] = [floorOf(importer), floorOf(target)];
  return from !== undefined && from.part === to?.part && to.level > from.level;
}
