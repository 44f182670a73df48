/**
 * The journeys again, in the desktop window: wherever Electron's runtime and a display are present. The runtime is fetched by
 * Electron itself, from a place that not every machine reaches; without it this test is skipped in plain sight.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasDisplay, thisSystem } from '../../app/server/browser.ts';
import { findElectron } from '../../app/server/electron.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const missing = [
  ...(findElectron(ROOT) === undefined ? ['Electron’s runtime'] : []),
  ...(hasDisplay(thisSystem) ? [] : ['a display']),
];
const here = missing.length === 0;
if (!here)
  process.stderr.write(`SKIPPED: the journeys in Electron; this machine is without ${missing.join(' and ')}\n`);

it.runIf(here)('the journeys pass in the desktop window', { timeout: 1_200_000 }, () => {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', '--config', 'vitest.electron.config.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, `it printed:\n${stdout}`).toBe(0);
});
