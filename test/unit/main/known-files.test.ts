/** Files that were opened, kept in a folder of the test’s own. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnownFiles, idOf, MOST_RECENT_FILES } from '../../../app/main/known-files.ts';

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

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

function open() {
  return createKnownFiles(join(folder, 'data'));
}

describe('files that were opened', () => {
  it('are read, and known by an id that reveals no path', async () => {
    const path = write('a.json', '{}');
    const opened = await open().open(path);
    expect(opened).toMatchObject({ id: idOf(path), name: 'a.json' });
    expect(text(opened.bytes)).toBe('{}');
    expect(opened.id).toMatch(/^[\da-f]{32}$/);
  });

  it('are remembered from one start to the next, newest first, and a file once', async () => {
    const [a, b] = [write('a.json', '1'), write('b.json', '2')];
    const first = open();
    for (const path of [a, b, a]) await first.open(path);
    const second = open();
    expect((await second.recent()).map(({ name }) => name)).toEqual(['a.json', 'b.json']);
    expect(text((await second.openKnown(idOf(b)))?.bytes)).toBe('2');
    expect((await second.recent()).map(({ name }) => name)).toEqual(['b.json', 'a.json']);
  });

  it('are forgotten when they are gone, and after the tenth', async () => {
    const files = open();
    for (let i = 0; i < MOST_RECENT_FILES + 2; i++) await files.open(write(`${i}.json`, '{}'));
    expect(await files.recent()).toHaveLength(MOST_RECENT_FILES);
    const [newest] = await files.recent();
    rmSync(join(folder, newest.name));
    expect(await files.openKnown(newest.id)).toBeUndefined();
    expect((await files.recent()).map(({ id }) => id)).not.toContain(newest.id);
  });

  it('are none for an id that nobody was given, or a damaged list', async () => {
    mkdirSync(join(folder, 'data'));
    write('data/recent.json', '{"not": "a list"');
    expect(await open().recent()).toEqual([]);
    expect(await open().openKnown('0'.repeat(32))).toBeUndefined();
  });

  it('are all remembered when several are opened at once, and opened when the list cannot be written', async () => {
    const files = open();
    const names = ['a.json', 'b.json', 'c.json'];
    await Promise.all(names.map((name) => files.open(write(name, '{}'))));
    expect((await files.recent()).map(({ name }) => name).toSorted()).toEqual(names);
    expect(readdirSync(join(folder, 'data'))).toEqual(['recent.json']);
    const path = write('not-a-folder', '');
    const opened = await createKnownFiles(path).open(join(folder, 'a.json'));
    expect(opened.name).toBe('a.json');
  });

  it('bring the arrays that they name, and no other file', async () => {
    const bathymetry = { kind: 'file', file: 'fields/bed.npy' };
    const scenario = {
      version: 3,
      name: 'a',
      model: { scheme: 'central-upwind', bathymetry },
      methods: [{ kind: 'letkf' }],
    };
    const path = write('a.json', JSON.stringify(scenario));
    mkdirSync(join(folder, 'fields'));
    write('fields/bed.npy', 'array');
    write('fields/other.npy', 'array');
    write('secret.txt', 'secret');
    const files = open();
    const { id } = await files.open(path);
    expect(text(await files.sibling(id, 'fields/bed.npy'))).toBe('array');
    const names = ['secret.txt', 'a.json', 'missing.npy', '../x.npy', 'fields/../../x.npy', 'fields/other.npy'];
    const found = await Promise.all(names.map((name) => files.sibling(id, name)));
    expect(found).toEqual(names.map(() => undefined));
    expect(await files.sibling('0'.repeat(32), 'fields/bed.npy')).toBeUndefined();
  });

  it('are reported to the system', async () => {
    const told: string[] = [];
    const path = write('a.json', '{}');
    await createKnownFiles(join(folder, 'data'), (known) => told.push(known)).open(path);
    expect(told).toEqual([path]);
  });

  it('are refused where they are larger than a scenario may be, or no files', async () => {
    await expect(open().open(write('large.json', 'x'.repeat(5 * 2 ** 20)))).rejects.toThrow(
      'found 5242880 bytes, allowed: 4194304',
    );
    await expect(open().open(folder)).rejects.toThrow('is a folder, a file is needed');
    expect(await open().recent()).toEqual([]);
  });
});
