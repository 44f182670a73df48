/**
 * The desktop application (page, main process and preload script), built when the state of its sources is not the one that was
 * built. A build appears whole: it is made beside the old one and takes its place at the end.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildInProcess, stateOfSources } from './build-process.mjs';
import { withLock } from './lock.mjs';

const SOURCE_FOLDERS = ['app', 'engine', 'scenarios'];
const SOURCE_FILES = ['electron.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const SOURCE_KINDS = new Set(['.ts', '.tsx', '.mjs', '.wgsl', '.json', '.css', '.html', '.svg', '.png', '.woff2']);
const PARTS = ['main', 'preload', 'renderer'];

/**
 * @param command of Vite: `build` or `serve`
 * @returns the parts of electron.config.ts, and the mode that they are for
 */
export async function loadConfiguration(root, command) {
  const { loadConfigFromFile } = await import('vite');
  const mode = command === 'build' ? 'production' : 'development';
  const { config } = await loadConfigFromFile({ command, mode }, join(root, 'electron.config.ts'), root, 'error');
  return { config, mode };
}

/** Main process and preload script run in Electron: its modules and Node's stay outside. */
function electronPart(part) {
  const { externalizeDeps: _all, ...build } = part.build;
  return {
    ...part,
    ssr: { noExternal: true },
    build: { ...build, ssr: true, target: 'node22', rollupOptions: { ...build.rollupOptions, external: ['electron'] } },
  };
}

async function buildPart(root, name, part, folder) {
  const { build } = await import('vite');
  const configuration = name === 'renderer' ? part : electronPart(part);
  await build({
    ...configuration,
    root: configuration.root ?? root,
    configFile: false,
    logLevel: 'error',
    build: { ...configuration.build, outDir: folder, emptyOutDir: true },
  });
}

function stampOf(out) {
  try {
    return readFileSync(join(out, 'desktop.stamp'), 'utf8');
  } catch {
    return undefined;
  }
}

/** Builds the three parts beside the present ones and puts them in their place. */
export async function buildDesktop(root, out, state) {
  process.stderr.write('shoal: building the application …\n');
  const { config } = await loadConfiguration(root, 'build');
  // One build at a time: what is here was left by an interrupted one.
  for (const name of readdirSync(out)) {
    if (name.startsWith('.desktop.')) rmSync(join(out, name), { recursive: true, force: true });
  }
  const fresh = join(out, `.desktop.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  try {
    for (const name of PARTS) await buildPart(root, name, config[name], join(fresh, name));
    rmSync(join(out, 'desktop.stamp'), { force: true });
    for (const name of PARTS) {
      rmSync(join(out, name), { recursive: true, force: true });
      renameSync(join(fresh, name), join(out, name));
    }
    writeFileSync(join(out, 'desktop.stamp'), state);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Says that out/ is no longer what `freshDesktop` built: something else builds into it. */
export function forgetDesktop(root) {
  rmSync(join(root, 'out', 'desktop.stamp'), { force: true });
}

/** Brings out/main, out/preload and out/renderer up to date. */
export async function freshDesktop(root) {
  const out = join(root, 'out');
  const state = stateOfSources(root, SOURCE_FOLDERS, SOURCE_KINDS, SOURCE_FILES);
  const isFresh = () => stampOf(out) === state && PARTS.every((name) => existsSync(join(out, name)));
  if (isFresh()) return;
  await withLock(join(out, 'desktop.lock'), 'another start is building the application', async () => {
    if (!isFresh()) await buildInProcess('desktop.mjs', 'buildDesktop', root, out, state);
  });
}
