/** The browsers that this machine has, and whether these tests can run. */
import { accessSync, constants } from 'node:fs';
import { isOnPath } from '../setup/screen.ts';
import type { Browser, Surroundings } from './browser.ts';
import { FIREFOX, startFirefox } from './firefox.ts';
import { MINI_BROWSER, startWebKit, WEBKIT_DRIVER } from './webkit.ts';

/** A browser as tests are given it. */
export interface Candidate {
  readonly name: 'Firefox' | 'WebKit';
  readonly start: (surroundings: Surroundings) => Promise<Browser>;
  /** Whether it has memory that threads share. */
  readonly hasThreads: boolean;
}

export const BROWSERS: readonly Candidate[] = [
  { name: 'Firefox', start: startFirefox, hasThreads: true },
  { name: 'WebKit', start: startWebKit, hasThreads: false },
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const missing = [
  ...(isOnPath('Xvfb') ? [] : ['Xvfb']),
  ...[FIREFOX, WEBKIT_DRIVER, MINI_BROWSER].filter((path) => !isProgram(path)),
];
/** Whether this machine can run the tests. */
export const hasBrowsers = missing.length === 0;
if (!hasBrowsers) {
  const reason = `the page in Firefox and WebKit: this machine lacks ${missing.join(', ')} (test/browsers/install.sh)`;
  if (process.env['CI']) throw new Error(`in CI these tests may not be skipped: ${reason}`);
  process.stderr.write(`SKIPPED: ${reason}\n`);
}
