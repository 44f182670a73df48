/** A file is read only if it is inside its folder, also while somebody exchanges it. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openInside, readAndClose } from '../../../app/files/regular-file.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'shoal-inside-'));
  mkdirSync(join(place, 'open'));
  writeFileSync(join(place, 'secret'), 'secret');
  writeFileSync(join(place, 'open', 'table'), 'public');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

async function read(name: string): Promise<string> {
  const path = join(place, 'open', name);
  return Buffer.from(await readAndClose(await openInside(join(place, 'open'), path, 100), path, 100)).toString();
}

it('follows links inside the folder and refuses those that lead out of it', async () => {
  symlinkSync('table', join(place, 'open', 'inside'));
  symlinkSync('../secret', join(place, 'open', 'outside'));
  expect(await read('inside')).toBe('public');
  await expect(read('outside')).rejects.toThrow("is a link that leads out of the scenario's folder");
});

it('never reads a file outside, however a link is exchanged meanwhile', async () => {
  const name = join(place, 'open', 'changing');
  const state = { isOver: false };
  const exchanging = (async () => {
    for (let turn = 0; !state.isOver; turn++) {
      symlinkSync(turn % 2 === 0 ? 'table' : '../secret', `${name}.next`);
      renameSync(`${name}.next`, name);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const found = new Map<string, number>();
  for (let attempt = 0; attempt < 500; attempt++) {
    const content = await read('changing').catch(() => 'refused');
    found.set(content, (found.get(content) ?? 0) + 1);
  }
  state.isOver = true;
  await exchanging;
  expect(found.has('secret')).toBe(false);
  // Both outcomes occurred, so that the race was real.
  expect([...found.keys()].toSorted()).toEqual(['public', 'refused']);
});
