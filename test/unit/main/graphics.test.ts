/** WebGPU on Linux, asked for once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGraphics } from '../../../app/main/graphics.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-main-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function graphics(accepts: boolean, platform: NodeJS.Platform = 'linux') {
  const done: string[] = [];
  const made = createGraphics({
    platform,
    folder,
    isOffered: () => done.includes('offer'),
    offer: () => done.push('offer'),
    ask: () => Promise.resolve(done.push('ask') > 0 && accepts),
    restart: () => done.push('restart'),
  });
  return { done, ...made };
}

describe('WebGPU on Linux', () => {
  it('is left to Chromium where the page finds a GPU, and elsewhere than on Linux', async () => {
    const linux = graphics(true);
    linux.prepare();
    await linux.found(true);
    const mac = graphics(true, 'darwin');
    mac.prepare();
    await mac.found(false);
    expect([linux.done, mac.done]).toEqual([[], []]);
  });

  it('is asked for once, and remembered', async () => {
    const first = graphics(true);
    first.prepare();
    await Promise.all([first.found(false), first.found(false)]);
    expect(first.done).toEqual(['ask', 'restart']);
    const second = graphics(true);
    second.prepare();
    expect(second.done).toEqual(['offer']);
    // It did not help: Chromium is not asked again.
    await second.found(false);
    const third = graphics(true);
    third.prepare();
    await third.found(false);
    expect(third.done).toEqual([]);
  });

  it('stays as it is when the person wants it so', async () => {
    const first = graphics(false);
    await first.found(false);
    const second = graphics(true);
    second.prepare();
    await second.found(false);
    expect([first.done, second.done]).toEqual([['ask'], []]);
  });

  it('is asked about again where the answer is damaged', async () => {
    write('graphics.json', '{');
    const { done, prepare, found } = graphics(false);
    prepare();
    await found(false);
    expect(done).toEqual(['ask']);
  });
});
