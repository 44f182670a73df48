/**
 * `npm run library`: the engine as modules that `import … from 'shoal'` finds, for Node and for pages, with their types; and
 * `npm run docs`: its reference. Both appear whole, in out/library and out/docs.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { loadConfiguration } from './desktop.mjs';

/** Fills a folder beside the one that is meant, and puts it in its place when it is whole. */
export async function whole(folder, make) {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    await make(fresh);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const LIBRARY_FOLDER = join('app', 'library');
/** What the types refer to beside each other. */
const GLOBALS = 'globals.d.ts';

/** @returns the exit code of the compiler */
function writeTypes(root, folder) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', join(root, 'tsconfig.library.json'), '--outDir', join(folder, 'types')];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  // The compiler neither copies declarations that are written by hand nor keeps a reference to them.
  const types = join(folder, 'types', LIBRARY_FOLDER);
  cpSync(join(root, LIBRARY_FOLDER, GLOBALS), join(types, GLOBALS));
  const entry = join(types, 'index.d.ts');
  writeFileSync(entry, `/// <reference path="./${GLOBALS}" />\n${readFileSync(entry, 'utf8')}`);
  return status ?? 1;
}

/** @returns the exit code */
export async function buildLibrary(root) {
  const { build } = await import('vite');
  const { library } = (await loadConfiguration(root, 'build')).config;
  await whole(library.build.outDir, async (folder) => {
    await build({
      ...library,
      root,
      configFile: false,
      logLevel: 'error',
      build: { ...library.build, outDir: folder },
    });
    if (writeTypes(root, folder) !== 0) throw new Error('the types of the library could not be written');
  });
  process.stderr.write(`shoal: the library is in ${library.build.outDir}\n`);
  return 0;
}

/** @returns the exit code: 1 where anything that is exported has no words */
export async function buildDocs(root) {
  // The reference is made with a TypeScript that can be asked; the one that checks this program cannot yet.
  register('./typescript-for-docs.mjs', import.meta.url);
  const { Application } = await import('typedoc');
  const docs = join(root, 'out', 'docs');
  let code = 0;
  await whole(docs, async (folder) => {
    const application = await Application.bootstrapWithPlugins({
      name: 'Shoal',
      readme: 'none',
      entryPoints: [join(root, 'app', 'library', 'index.ts')],
      tsconfig: join(root, 'tsconfig.docs.json'),
      out: folder,
      disableGit: true,
      disableSources: true,
      githubPages: false,
      excludeExternals: true,
      excludePrivate: true,
      validation: { notExported: false, invalidLink: true, notDocumented: true },
      requiredToBeDocumented: ['Class', 'Interface', 'Function', 'TypeAlias', 'Variable', 'Enum'],
      treatValidationWarningsAsErrors: true,
      logLevel: 'Warn',
    });
    const project = await application.convert();
    if (!project) {
      code = 1;
      return;
    }
    application.validate(project);
    if (application.logger.hasErrors() || application.logger.hasWarnings()) code = 1;
    await application.generateOutputs(project);
  });
  if (code === 0) process.stderr.write(`shoal: the reference is in ${join(docs, 'index.html')}\n`);
  return code;
}
