/**
 * `npm run package`: electron-builder, whose report of a failed download, a stack of calls inside its packages, becomes one line that
 * says what is missing and what can be done.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const FAILED_DOWNLOAD =
  /⨯ .*(?:getaddrinfo|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|status code \d)/;
const HOST = /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)|https?:\/\/([\w.-]+)/;

/**
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
