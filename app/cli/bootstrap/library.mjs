/**
 * `npm run library`: the engine as modules that `import … from 'shoal'` finds, for Node and for pages, with their types; and
 * `npm run docs`: its reference. Both appear whole, in out/library and out/docs.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { join, basename, dirname, resolve } from 'node:path';
import { loadConfiguration, freshDesktop } from './desktop.mjs';

const PAGE = 'index.html';
const ASSETS = 'assets';
const SERVICE_WORKER = 'service-worker.js';
/** What a site consists of. */
const PARTS = [PAGE, ASSETS, SERVICE_WORKER];

/** The script that the page begins with, as Vite writes it. */
const MAIN_SCRIPT = /<script type="module" crossorigin src="(\.\/assets\/[\w-]+\.js)"><\/script>/;

/**
 * `npm run site`: the whole laboratory as a folder for any static host, at whatever path. It is the page that the desktop
 * application has, started by a script that isolates it from other origins, and a service worker for hosts without headers.
 * The folder appears whole: it is made beside the old one and takes its place at the end.
 *
 * @throws Error where the folder holds anything that is not of a site: it is replaced as a whole
 */
export function checkReplaceable(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length === 0) return;
  const other = names.find((name) => !PARTS.includes(name)) ?? PARTS.find((name) => !names.includes(name));
  if (other === undefined) return;
  const why = names.includes(other) ? `found ${JSON.stringify(other)} in it` : `it lacks ${other}`;
  throw new Error(`${folder} is no site that this command has made (${why}); name an empty folder, or one to be made`);
}

/** Builds one script into the folder. @returns its path there */
async function buildScript(root, part, folder) {
  const { build } = await import('vite');
  const built = await build({
    ...part,
    root,
    configFile: false,
    logLevel: 'error',
    build: { ...part.build, outDir: folder, emptyOutDir: false },
  });
  return [built].flat()[0].output[0].fileName;
}

/** The policy for pages whose host sets no headers, from the one place where it is written. */
async function policyOfPage(root) {
  const { runnerImport } = await import('vite');
  return (await runnerImport(join(root, 'app', 'server', 'headers.ts'))).module.policyOfPage();
}

/** What the policy follows. */
const CHARSET = '<meta charset="utf-8" />';

/** @param start path of the script that starts the page @returns the page for a static host */
function pageOf(html, start, policy) {
  const [script, main] = MAIN_SCRIPT.exec(html) ?? [];
  if (script === undefined || !html.includes(CHARSET))
    throw new Error('the built page does not begin with the script that was expected');
  return html
    .replace(
      CHARSET,
      `${CHARSET}
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="referrer" content="no-referrer" />`,
    )
    .replace(script, `<script type="module" src="./${start}" data-main="${main}"></script>`);
}

/**
 * @param words what was said after the command: the folder, where it is not out/site
 * @returns the exit code
 */
export async function buildSite(root, words) {
  const [folder = join(root, 'out', 'site'), ...others] = words.map((word) => resolve(word));
  if (others.length > 0 || words.some((word) => word.startsWith('-'))) {
    process.stderr.write(`shoal: found ${words.join(' ')}, allowed: one folder: npm run site -- FOLDER\n`);
    return 2;
  }
  checkReplaceable(folder);
  await freshDesktop(root);
  const { config } = await loadConfiguration(root, 'build');
  const fresh = join(dirname(folder), `.${basename(folder)}.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  try {
    const built = join(root, 'out', 'renderer');
    cpSync(join(built, ASSETS), join(fresh, ASSETS), { recursive: true });
    const start = await buildScript(root, config.siteStart, fresh);
    await buildScript(root, config.siteServiceWorker, fresh);
    const html = readFileSync(join(built, PAGE), 'utf8');
    writeFileSync(join(fresh, PAGE), pageOf(html, start, await policyOfPage(root)));
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  process.stderr.write(`shoal: the site is in ${folder}: put it on any static host, at any path\n`);
  return 0;
}

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
