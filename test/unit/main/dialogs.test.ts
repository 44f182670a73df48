/** Opening and saving, against stand-ins of Electron’s dialogs. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseScenario, MOST_FILES, saveFile, saveFolder, createPartialFolders } from '../../../app/main/dialogs.ts';
import type { PartialFolders, Dialogs } from '../../../app/main/dialogs.ts';
import { createOpenedFolders } from '../../../app/main/folders.ts';

let folder = '';
let partials: PartialFolders;
let data = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-main-'));
  data = mkdtempSync(join(tmpdir(), 'shoal-data-'));
  partials = createPartialFolders(data);
});
afterEach(() => {
  for (const each of [folder, data]) rmSync(each, { recursive: true, force: true });
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

function chosen(path: string): Dialogs {
  return {
    open: () => Promise.resolve({ canceled: false, filePaths: [path] }),
    save: () => Promise.resolve({ canceled: false, filePath: path }),
  };
}

const cancelled: Dialogs = {
  open: () => Promise.resolve({ canceled: true, filePaths: [] }),
  save: () => Promise.resolve({ canceled: true, filePath: '' }),
};

describe('dialogs', () => {
  const bytes = new TextEncoder().encode('content');

  it('save a file whole, leaving nothing beside it', async () => {
    const path = write('a.csv', 'before');
    expect(await saveFile(chosen(path), 'a.csv', bytes)).toBe('a.csv');
    expect(readFileSync(path, 'utf8')).toBe('content');
    expect(readdirSync(folder)).toEqual(['a.csv']);
  });

  it('leave what was there where saving fails', async () => {
    const path = join(folder, 'missing', 'a.csv');
    await expect(saveFile(chosen(path), 'a.csv', bytes)).rejects.toThrow(
      /a\.csv: cannot be written: its folder is gone$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('save a folder whole, and open it again', async () => {
    const path = join(folder, 'run');
    const files = { 'run.json': bytes, 'fields/eta.npy': bytes };
    expect(await saveFolder(chosen(path), partials, 'run', files)).toBe('run');
    expect(readdirSync(folder)).toEqual(['run']);
    const opened = await createOpenedFolders().open(chosen(path));
    expect(Object.keys(opened?.files ?? {}).toSorted()).toEqual(['fields/eta.npy', 'run.json']);
    expect(text(opened?.files['fields/eta.npy'])).toBe('content');
  });

  it.runIf(process.platform !== 'win32')(
    'read no more of a folder than a run can have, and nothing but files',
    async () => {
      mkdirSync(join(folder, 'run'));
      write('run/run.json', 'content');
      execFileSync('mkfifo', [join(folder, 'run', 'pipe')]);
      symlinkSync('/dev/zero', join(folder, 'run', 'zeros'));
      expect(Object.keys((await createOpenedFolders().open(chosen(join(folder, 'run'))))?.files ?? {})).toEqual([
        'run.json',
      ]);
      // A file of a gigabyte and a byte, which takes no room on the disk.
      truncateSync(write('run/large.bin', ''), 2 ** 30 + 1);
      await expect(createOpenedFolders().open(chosen(join(folder, 'run')))).rejects.toThrow(
        /large\.bin: found 1073741825 bytes/,
      );
    },
  );

  it('stop listing a folder as soon as it has more files than a run', async () => {
    mkdirSync(join(folder, 'run'));
    for (let file = 0; file <= MOST_FILES; file++) write(`run/${file}`, '');
    await expect(createOpenedFolders().open(chosen(join(folder, 'run')))).rejects.toThrow(
      'has more than 10000 files; it is no run folder',
    );
  });

  it('give the states of a run in parts, and nothing else of its folder', async () => {
    mkdirSync(join(folder, 'run'));
    write('run/run.json', 'content');
    write('run/fields.nc', '0123456789');
    const folders = createOpenedFolders();
    const opened = await folders.open(chosen(join(folder, 'run')));
    const id = opened?.id ?? '';
    expect([Object.keys(opened?.files ?? {}), opened?.parted]).toEqual([['run.json'], { 'fields.nc': 10 }]);
    expect(text(await folders.readPart({ id, path: 'fields.nc', from: 3, bytes: 4 }))).toBe('3456');
    expect(text(await folders.readPart({ id, path: 'fields.nc', from: 8, bytes: 4 }))).toBe('89');
    for (const part of [
      { id, path: 'run.json' },
      { id, path: '../secret' },
      { id: '00', path: 'fields.nc' },
    ]) {
      await expect(folders.readPart({ ...part, from: 0, bytes: 1 })).rejects.toThrow(
        `${part.path} is of no folder that was opened`,
      );
    }
  });

  it('do not overwrite a folder that holds something', async () => {
    mkdirSync(join(folder, 'run'));
    write('run/kept', 'kept');
    await expect(saveFolder(chosen(join(folder, 'run')), partials, 'run', { 'run.json': bytes })).rejects.toThrow(
      /ENOTEMPTY|EEXIST/,
    );
    expect(readdirSync(folder)).toEqual(['run']);
    expect(readdirSync(join(folder, 'run'))).toEqual(['kept']);
  });

  it('give nothing when they are cancelled', async () => {
    expect(await chooseScenario(cancelled)).toBeUndefined();
    expect(await saveFile(cancelled, 'a', bytes)).toBeUndefined();
    expect(await saveFolder(cancelled, partials, 'a', {})).toBeUndefined();
    expect(await createOpenedFolders().open(cancelled)).toBeUndefined();
  });
});
