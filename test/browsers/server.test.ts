/** The page of `npm start`, from its server, in Firefox and in WebKit. */
import { cpSync } from 'node:fs';
import { describe } from 'vitest';
import { serveApplication } from '../../app/server/server.ts';
import { buildApplication } from '../e2e/desktop/chromium.ts';
import { BROWSERS, hasBrowsers } from './host.ts';
import { journey } from './journey.ts';
import type { ServedPage } from './journey.ts';
import { recordErrors } from './recorded-errors.ts';

async function serveCopy(folder: string): Promise<ServedPage> {
  cpSync(buildApplication(), folder, { recursive: true });
  recordErrors(folder);
  const application = await serveApplication(folder, { port: 0 });
  return { url: application.url, end: () => application.close() };
}

describe.runIf(hasBrowsers).each(BROWSERS)('the page of npm start in $name', (browser) => {
  journey(browser, serveCopy);
});
