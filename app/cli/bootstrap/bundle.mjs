/**
 * The command line's bundle, never stale: it is in a folder named for the state of its sources (path, size and times of
 * each), so a bundle that exists is fresh, and any change asks for another folder. A build appears whole, by one rename;
 * two starts at once build the same and the second drops its copy.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { buildInProcess, stateOfSources } from './build-process.mjs';
import { loadConfiguration } from './desktop.mjs';

/** What can change the bundle. */
const SOURCE_FOLDERS = [
  'app/bundle',
  'app/check',
  'app/cli',
  'app/document',
  'app/fields',
  'app/figures',
  'app/files',
  'app/format',
  'app/plot',
  'app/report',
  'app/server',
  'app/services',
  'app/stage',
  'engine',
];
const SOURCE_FILES = ['electron.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const SOURCE_KINDS = new Set(['.ts', '.tsx', '.mjs', '.wgsl', '.json']);
const KEPT_BUNDLES = 5;
/** Older bundles stay as long as a run started from one may still load a part of it. */
const KEPT_MILLISECONDS = 24 * 3600 * 1000;

/**
 * Builds the bundle into a folder.
 *
 * @param changes of the configuration: `external`, names of the only packages that stay outside if they are not inside anyway, and
 *   `build`
 */
export async function buildBundle(root, folder, { external, build } = {}) {
  const { build: viteBuild } = await import('vite');
  const { cli } = (await loadConfiguration(root, 'build')).config;
  const inside = cli.ssr.noExternal;
  await viteBuild({
    ...cli,
    root,
    configFile: false,
    logLevel: 'error',
    ...(external && { ssr: { noExternal: true, external: external.filter((name) => !inside.includes(name)) } }),
    build: { ...cli.build, ...build, outDir: folder, emptyOutDir: true },
  });
}

function removeOldBundles(parent, current) {
  const bundles = readdirSync(parent)
    .filter((name) => name !== current)
    .map((name) => ({ path: join(parent, name), time: statSync(join(parent, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { path, time } of bundles.slice(KEPT_BUNDLES - 1)) {
    if (Date.now() - time > KEPT_MILLISECONDS) rmSync(path, { recursive: true, force: true });
  }
}

/** @returns the folder of a bundle built from the sources as they are now */
export async function freshBundle(root) {
  const parent = join(root, 'out', 'cli');
  const name = stateOfSources(root, SOURCE_FOLDERS, SOURCE_KINDS, SOURCE_FILES);
  const folder = join(parent, name);
  if (existsSync(join(folder, 'main.js'))) return folder;
  process.stderr.write('shoal: building the command line …\n');
  const fresh = join(parent, `.${name}.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  try {
    await buildInProcess('bundle.mjs', 'buildBundle', root, fresh);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(folder, 'main.js'))) throw error;
  }
  utimesSync(folder, new Date(), new Date());
  removeOldBundles(parent, name);
  return folder;
}
