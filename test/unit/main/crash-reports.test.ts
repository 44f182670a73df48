/** Crash reports: kept, shown and deleted on this machine alone. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CRASH_REPORTER, crashReportsIn, createCrashReports } from '../../../app/main/recovery.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-crashes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(name: string, time: string): void {
  mkdirSync(join(folder, 'pending'), { recursive: true });
  const path = join(folder, 'pending', name);
  writeFileSync(path, 'dump');
  utimesSync(path, new Date(time), new Date(time));
}

/** Chooses the menu's item and presses a button. */
async function choose(pressed: number) {
  const said: string[] = [];
  const copied: string[] = [];
  const open = createCrashReports({
    folder,
    ask: async (message, detail, buttons) => {
      said.push(message, detail, buttons.join(', '));
      return pressed;
    },
    copy: (text) => copied.push(text),
  });
  await open();
  return { said, copied };
}

it('sends nothing', () => {
  expect(CRASH_REPORTER.uploadToServer).toBe(false);
  expect(CRASH_REPORTER).not.toHaveProperty('submitURL');
});

it('finds reports in the folders below, the newest first, and no other file', async () => {
  report('a.dmp', '2026-01-01T00:00:00Z');
  report('b.dmp', '2026-01-02T00:00:00Z');
  report('a.meta', '2026-01-03T00:00:00Z');
  writeFileSync(join(folder, 'settings.dat'), '');
  expect((await crashReportsIn(folder)).map(({ path }) => path.slice(-5))).toEqual(['b.dmp', 'a.dmp']);
  expect(await crashReportsIn(join(folder, 'none'))).toEqual([]);
});

it('says how many there are, and that they stay here', async () => {
  expect((await choose(0)).said[0]).toBe('No crash reports');
  report('a.dmp', '2026-01-01T00:00:00Z');
  const { said } = await choose(0);
  expect(said).toEqual(['One crash report', expect.stringContaining('never sent'), 'Close, Copy Path, Delete All']);
  expect(said[1]).toContain('2026-01-01 00:00 UTC');
});

it('copies the path of the folder, and deletes the reports', async () => {
  report('a.dmp', '2026-01-01T00:00:00Z');
  report('b.dmp', '2026-01-02T00:00:00Z');
  expect((await choose(1)).copied).toEqual([folder]);
  expect((await crashReportsIn(folder)).length).toBe(2);
  expect((await choose(2)).said[0]).toBe('2 crash reports');
  expect(readdirSync(join(folder, 'pending'))).toEqual([]);
});
