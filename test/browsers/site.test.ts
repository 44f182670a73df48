/** The site of a static host, at a sub-path and without any headers, in Firefox and in WebKit. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { serveFolder } from '../setup/serve-folder.ts';
import { BROWSERS, hasBrowsers } from './host.ts';
import { journey } from './journey.ts';
import type { ServedPage } from './journey.ts';
import { recordErrors } from './recorded-errors.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'app', 'cli', 'bootstrap.mjs');
const PATH = '/courses/da/shoal/';

describe.runIf(hasBrowsers)('the site', () => {
  let built = '';

  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), 'shoal-site-'));
    const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, '--task', 'site', built], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the site was not built:\n${stderr}`);
    recordErrors(built);
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  async function serveSite(): Promise<ServedPage> {
    const server = await serveFolder(built, PATH);
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
      async end() {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  describe.each(BROWSERS)('in $name', (browser) => {
    journey(browser, serveSite);
  });
});
