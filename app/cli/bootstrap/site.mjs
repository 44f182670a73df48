/**
 * `npm run site`: the whole laboratory as a folder for any static host, at whatever path. It is the page that the desktop
 * application has, started by a script that isolates it from other origins, and a service worker for hosts without headers.
 * The folder appears whole: it is made beside the old one and takes its place at the end.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { freshDesktop, loadConfiguration } from './desktop.mjs';

const PAGE = 'index.html';
const ASSETS = 'assets';
const SERVICE_WORKER = 'service-worker.js';
/** What a site consists of. */
const PARTS = [PAGE, ASSETS, SERVICE_WORKER];

/** The script that the page begins with, as Vite writes it. */
const MAIN_SCRIPT = /<script type="module" crossorigin src="(\.\/assets\/[\w-]+\.js)"><\/script>/;

/** @throws Error where the folder holds anything that is not of a site: it is replaced as a whole */
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
