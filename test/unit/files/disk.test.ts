import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk, disk, sweepUnfinished, WriteError, writeNamedFile } from '../../../app/files/disk.ts';
import { nodeFileSystem } from '../../../app/files/file-system.ts';
import type { FileSystem, OpenFile } from '../../../app/files/file-system.ts';

let folder = '';
const at = (...path: string[]): string => join(folder, ...path);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-disk-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** This machine's, but each write writes no more than some bytes. */
function shortWrites(most: number): FileSystem {
  const limited = (file: OpenFile): OpenFile => ({
    ...file,
    write: (bytes, position) => file.write(bytes.subarray(0, most), position),
  });
  return {
    ...nodeFileSystem,
    create: async (path) => limited(await nodeFileSystem.create(path)),
    update: async (path) => limited(await nodeFileSystem.update(path)),
  };
}

describe('a file', () => {
  it('is written by all its bytes where each write takes a few', async () => {
    const slow = createDisk(shortWrites(3));
    await slow.writeWhole(at('whole'), '0123456789');
    await slow.append(at('grown'), 0, new TextEncoder().encode('abcdefg'));
    await slow.append(at('grown'), 4, new TextEncoder().encode('XYZUVW'));
    expect(readFileSync(at('whole'), 'utf8')).toBe('0123456789');
    expect(readFileSync(at('grown'), 'utf8')).toBe('abcdXYZUVW');
    expect(readdirSync(folder)).toEqual(['grown', 'whole']);
  });

  it('stays as it was if nothing can be written, and is named with the cause', async () => {
    const full = createDisk(shortWrites(0));
    writeFileSync(at('old'), 'old');
    await expect(full.writeWhole(at('old'), 'new')).rejects.toThrow(
      `${at('old')}: cannot be written: no space is left on the device`,
    );
    await expect(full.append(at('old'), 1, new Uint8Array(5))).rejects.toBeInstanceOf(WriteError);
    // What was behind the committed length is cut off all the same.
    expect(readFileSync(at('old'), 'utf8')).toBe('o');
    await expect(full.append(at('fresh'), 0, new Uint8Array(5))).rejects.toBeInstanceOf(WriteError);
    expect(readdirSync(folder)).toEqual(['old']);
  });

  it('keeps its permissions, and stays where a link leads, when a user names it', async () => {
    writeFileSync(at('real'), 'old');
    chmodSync(at('real'), 0o640);
    symlinkSync('real', at('link'));
    await writeNamedFile(at('link'), 'new');
    expect(readlinkSync(at('link'))).toBe('real');
    expect(readFileSync(at('real'), 'utf8')).toBe('new');
    expect(statSync(at('real')).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o640);
  });
});

describe('a folder', () => {
  it('is made with its parents, and claimed by one alone', async () => {
    await disk.makeFolder(at('a/b/c'));
    await disk.makeFolder(at('a/b/c'));
    expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
    const claims = await Promise.all(Array.from({ length: 5 }, () => disk.claimFolder(at('runs/mine'))));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('is refused at once where a file is in the way, or no folder can be', async () => {
    writeFileSync(at('file'), '');
    await expect(disk.makeFolder(at('file/below'))).rejects.toThrow(
      `${at('file/below')}: cannot be written: a part of this path is a file`,
    );
    await expect(disk.makeFolder(at('file'))).rejects.toBeInstanceOf(WriteError);
    await expect(disk.claimFolder('/proc/shoal/run')).rejects.toBeInstanceOf(WriteError);
  });

  it('is swept of what was never finished, and of nothing else', async () => {
    mkdirSync(at('below'));
    for (const name of [
      'below/0.npy.0123456789ab.partial',
      'run.json.ffffffffffff.partial',
      'mine.partial',
      'run.json',
    ]) {
      writeFileSync(at(name), '');
    }
    await sweepUnfinished(folder);
    expect(new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['below', 'mine.partial', 'run.json']),
    );
  });
});
