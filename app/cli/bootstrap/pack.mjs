/**
 * What `npm pack` needs: everything that the package ships, built from the sources as they are now. The command line is in
 * out/command-line, the library in out/library, and the page in out/page.
 */
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildInProcess } from './build-process.mjs';
import { buildBundle } from './bundle.mjs';
import { freshDesktop } from './desktop.mjs';
import { buildLibrary, whole } from './library.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const FAILED_DOWNLOAD =
  /⨯ .*(?:getaddrinfo|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|status code \d)/;
const HOST = /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)|https?:\/\/([\w.-]+)/;

/**
 * `npm run package`: electron-builder, whose report of a failed download, a stack of calls inside its packages, becomes one line that
 * says what is missing and what can be done.
 *
 * Reads the packager's report line by line.
 *
 * @returns a function that gives what is to be printed of a line, undefined for nothing; and what is missing, if a download failed
 */
export function createReport() {
  let runtime = 'Electron’s runtime';
  let target;
  let missing;
  return {
    line(text) {
      if (missing !== undefined) return undefined;
      runtime = /\belectron=([\d.]+)/.exec(text)?.[1].replace(/^/, 'the runtime of Electron ') ?? runtime;
      target = /\bbuilding\s+target=(\S+)/.exec(text)?.[1] ?? target;
      if (!FAILED_DOWNLOAD.test(text)) return text;
      const [, name, ofAddress] = HOST.exec(text) ?? [];
      const what = target === undefined ? runtime : `the tools for ${target}`;
      const otherwise = target === undefined ? ', or give its folder: --config.electronDist=FOLDER' : '';
      missing = `${what} cannot be downloaded: ${name ?? ofAddress ?? 'its server'} is not reached. Package on a machine that reaches it${otherwise}`;
      return undefined;
    },
    get missing() {
      return missing;
    },
  };
}

/**
 * @param command of electron-builder, with its words
 * @returns its exit code
 */
export async function runPackager(command, words, cwd) {
  const environment = process.stdout.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env;
  const child = spawn(command, words, { cwd, env: environment, stdio: ['inherit', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const report = createReport();
  for await (const text of createInterface({ input: child.stdout })) {
    const printed = report.line(text);
    if (printed !== undefined) process.stdout.write(`${printed}\n`);
  }
  const [code] = await ended;
  if (report.missing !== undefined) process.stderr.write(`shoal: ${report.missing}\n`);
  return code ?? 1;
}

/** Packages that are not installed with the package and are loaded only where somebody has added them. */
const OPTIONAL_PACKAGES = ['webgpu', 'tar-fs'];

/** Builds the command line as it is shipped: what is not installed with the package is inside. */
export async function buildPackedBundle(root, folder) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const external = [...Object.keys(dependencies), ...OPTIONAL_PACKAGES];
  await buildBundle(root, folder, { external, build: { sourcemap: false, license: { fileName: 'licenses.md' } } });
}

/** The page's scripts are most of the package: they are kept compressed, and served as they are. */
function compressScripts(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    rmSync(path);
  }
}

/** @returns the exit code */
export async function buildForPackage(root) {
  const out = join(root, 'out');
  process.stderr.write('shoal: building the command line …\n');
  await whole(join(out, 'command-line'), (folder) => buildInProcess('pack.mjs', 'buildPackedBundle', root, folder));
  await buildLibrary(root);
  await freshDesktop(root);
  await whole(join(out, 'page'), (folder) => {
    cpSync(join(out, 'renderer'), folder, { recursive: true });
    compressScripts(folder);
  });
  return 0;
}
