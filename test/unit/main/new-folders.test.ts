/** Folders that are written part by part, against stand-ins of Electron’s dialogs. */
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNewFolders } from '../../../app/main/folders.ts';
import type { NewFolders } from '../../../app/main/folders.ts';
import type { Dialogs } from '../../../app/main/dialogs.ts';
import { createPartialFolders } from '../../../app/main/dialogs.ts';
import { createQuitting } from '../../../app/main/closing.ts';

let place = '';
/** Where the application keeps its own data. */
let data = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'shoal-new-'));
  data = mkdtempSync(join(tmpdir(), 'shoal-data-'));
});
afterEach(() => {
  for (const folder of [place, data]) rmSync(folder, { recursive: true, force: true });
});

function answering(filePath: string): Dialogs {
  return {
    open: () => Promise.reject(new Error('nothing is opened')),
    save: () => Promise.resolve({ canceled: filePath === '', filePath }),
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a folder that a user names', () => {
  let folders: NewFolders;
  beforeEach(() => {
    folders = createNewFolders(createPartialFolders(join(data, 'app')));
  });

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

  it('is gone when all are abandoned, also if its removal had begun before', async () => {
    const id = await named();
    await folders.write({ id, path: 'a.csv', from: 0, bytes: bytes('1') });
    void folders.abandonAll();
    await folders.abandonAll();
    expect(readdirSync(place)).toEqual([]);
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

describe('a start after a crash', () => {
  it('removes the unfinished folders of the start before, and nothing else', async () => {
    const crashed = createNewFolders(createPartialFolders(data));
    const { id = '' } = (await crashed.name(answering(join(place, 'run')), 'suggested')) ?? {};
    await crashed.write({ id, path: 'run.json', from: 0, bytes: bytes('{}') });
    const [left = ''] = readdirSync(place);
    writeFileSync(join(place, 'kept'), 'kept');
    // Somebody may have written other paths into the list.
    const list = join(data, 'partial-folders.json');
    const listed: string[] = JSON.parse(readFileSync(list, 'utf8'));
    expect(listed).toEqual([join(place, left)]);
    writeFileSync(list, JSON.stringify([...listed, join(place, 'kept'), '.relative.0123456789ab.partial']));
    await createPartialFolders(data).sweep();
    expect(readdirSync(place)).toEqual(['kept']);
    expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual([]);
  });

  it('is not held up by a damaged list', async () => {
    writeFileSync(join(data, 'partial-folders.json'), '{"not": "a list"');
    await expect(createPartialFolders(data).sweep()).resolves.toBeUndefined();
  });
});

/** Quits as Electron does: again, until nothing prevents it. @returns how often it was prevented, at the end */
function quitting(finish: () => Promise<void>, patience: number) {
  let prevented = 0;
  const events = new EventEmitter();
  const end = once(events, 'end').then(([times]) => times as number);
  const listener = createQuitting({ finish, patience, quit: () => attempt() });
  function attempt(): void {
    let isPrevented = false;
    listener({ preventDefault: () => (isPrevented = true) });
    if (isPrevented) prevented += 1;
    else events.emit('end', prevented);
  }
  return { attempt, end };
}

describe('quitting', () => {
  it('waits until unfinished folders are removed', async () => {
    const events = new EventEmitter();
    const finished = once(events, 'finished').then(() => undefined);
    const { attempt, end } = quitting(() => finished, 60_000);
    attempt();
    attempt();
    events.emit('finished');
    expect(await end).toBe(2);
  });

  it('quits after the event, also if there is nothing to remove: within it Electron ignores the request', async () => {
    const calls: string[] = [];
    const quitted = new Promise<void>((resolve) => {
      const listener = createQuitting({
        finish: () => Promise.resolve(),
        quit() {
          calls.push('quit');
          resolve();
        },
      });
      listener({ preventDefault: () => calls.push('prevented') });
    });
    // An event has ended when everything that was promised in it is done.
    process.nextTick(() => queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => calls.push('event ended')))));
    await quitted;
    expect(calls).toEqual(['prevented', 'event ended', 'quit']);
  });

  it('does not wait for a disk that does not answer, or fails', async () => {
    for (const finish of [() => new Promise<void>(() => undefined), () => Promise.reject(new Error('gone'))]) {
      const { attempt, end } = quitting(finish, 20);
      attempt();
      expect(await end).toBe(1);
    }
  });
});
