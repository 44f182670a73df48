/** Folders that are written part by part, against stand-ins of Electron’s dialogs. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNewFolders } from '../../../app/main/new-folders.ts';
import type { Dialogs } from '../../../app/main/dialogs.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'shoal-new-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function answering(filePath: string): Dialogs {
  return {
    open: () => Promise.reject(new Error('nothing is opened')),
    save: () => Promise.resolve({ canceled: filePath === '', filePath }),
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a folder that a person names', () => {
  const folders = createNewFolders();

  async function named(): Promise<string> {
    const { id = '', name } = (await folders.name(answering(join(place, 'run')), 'suggested')) ?? {};
    expect(name).toBe('run');
    return id;
  }

  it('is there when all of it was written, and nothing beside it', async () => {
    const id = await named();
    await folders.write({ id, path: 'a/b.csv', from: 0, bytes: bytes('1,') });
    await folders.write({ id, path: 'a/b.csv', from: 2, bytes: bytes('2') });
    expect(readdirSync(place)).toEqual([expect.stringMatching(/^\.run\..*\.partial$/)]);
    await folders.finish(id);
    expect(readdirSync(place)).toEqual(['run']);
    expect(readFileSync(join(place, 'run', 'a', 'b.csv'), 'utf8')).toBe('1,2');
    await expect(folders.write({ id, path: 'c', from: 0, bytes: bytes('3') })).rejects.toThrow('no such folder');
  });

  it('leaves nothing where it is given up, or nobody is left to finish it', async () => {
    for (const end of [(id: string) => folders.abandon(id), () => folders.abandonAll()]) {
      const id = await named();
      await folders.write({ id, path: 'run.json', from: 0, bytes: bytes('{}') });
      await end(id);
      expect(readdirSync(place)).toEqual([]);
    }
  });

  it('leaves nothing where it is given up while a part is written', async () => {
    const id = await named();
    const writing = folders.write({ id, path: 'a/b.csv', from: 0, bytes: bytes('1') });
    await folders.abandon(id);
    await writing;
    expect(readdirSync(place)).toEqual([]);
  });

  it('is not there where a part of it could not be written', async () => {
    const id = await named();
    await folders.write({ id, path: 'a', from: 0, bytes: bytes('1') });
    // What is a file holds no others.
    await expect(folders.write({ id, path: 'a/b', from: 0, bytes: bytes('2') })).rejects.toThrow('cannot be written');
    await expect(folders.finish(id)).rejects.toThrow('cannot be written');
    expect(readdirSync(place)).toEqual([]);
  });

  it('takes the place of none that holds something', async () => {
    mkdirSync(join(place, 'run'));
    writeFileSync(join(place, 'run', 'kept'), 'kept');
    const id = await named();
    await folders.write({ id, path: 'run.json', from: 0, bytes: bytes('{}') });
    await expect(folders.finish(id)).rejects.toThrow(/ENOTEMPTY|EEXIST/);
    expect([readdirSync(place), readdirSync(join(place, 'run'))]).toEqual([['run'], ['kept']]);
  });

  it('is none where the dialog is cancelled', async () => {
    expect(await folders.name(answering(''), 'suggested')).toBeUndefined();
  });
});
