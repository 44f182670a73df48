/** The site of a static host, at a sub-path and without any headers, in Firefox and in WebKit. */
import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe } from 'vitest';
import { serveFolder } from '../setup/serve-folder.ts';
import { BROWSERS, hasBrowsers } from './host.ts';
import { journey } from './journey.ts';
import type { ServedPage } from './journey.ts';
import { recordErrors } from './recorded-errors.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'app', 'cli', 'bootstrap.mjs');
const PATH = '/courses/da/shoal/';

async function serveSite(folder: string): Promise<ServedPage> {
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, '--task', 'site', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the site was not built:\n${stderr}`);
  recordErrors(folder);
  const server = await serveFolder(folder, PATH);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async end() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.runIf(hasBrowsers).each(BROWSERS)('the site in $name', (browser) => {
  journey(browser, serveSite);
});
