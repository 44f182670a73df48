/** What the main process does, against stand-ins of the few Electron calls it uses. */
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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClosing } from '../../../app/main/closing.ts';
import { chooseScenario, openFolder, saveFile, saveFolder } from '../../../app/main/dialogs.ts';
import type { Dialogs } from '../../../app/main/dialogs.ts';
import { createKnownFiles, idOf, MOST_RECENT_FILES } from '../../../app/main/known-files.ts';
import { createGraphics } from '../../../app/main/graphics.ts';
import { MENU_COMMANDS, menuTemplate } from '../../../app/main/menu.ts';
import type { MenuItem } from '../../../app/main/menu.ts';
import { createOpening, filesOf } from '../../../app/main/opening.ts';
import { RECOVERED_PAGE } from '../../../app/main/protocol.ts';
import { createUnresponsive } from '../../../app/main/unresponsive.ts';
import { createRecovery } from '../../../app/main/recovery.ts';

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
  it('are read, and known by an id that tells no path', async () => {
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

  it('are told to the system', async () => {
    const told: string[] = [];
    const path = write('a.json', '{}');
    await createKnownFiles(join(folder, 'data'), (known) => told.push(known)).open(path);
    expect(told).toEqual([path]);
  });

  it('are refused where they are larger than a scenario may be, or no files', async () => {
    await expect(open().open(write('large.json', 'x'.repeat(5 * 2 ** 20)))).rejects.toThrow(
      'found 5242880 bytes, allowed are 4194304',
    );
    await expect(open().open(folder)).rejects.toThrow('is a folder, a file is needed');
    expect(await open().recent()).toEqual([]);
  });
});

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
    expect(await saveFolder(chosen(path), 'run', files)).toBe('run');
    expect(readdirSync(folder)).toEqual(['run']);
    const opened = await openFolder(chosen(path));
    expect(Object.keys(opened ?? {}).toSorted()).toEqual(['fields/eta.npy', 'run.json']);
    expect(text(opened?.['fields/eta.npy'])).toBe('content');
  });

  it.runIf(process.platform !== 'win32')(
    'read no more of a folder than a run can have, and nothing but files',
    async () => {
      mkdirSync(join(folder, 'run'));
      write('run/run.json', 'content');
      execFileSync('mkfifo', [join(folder, 'run', 'pipe')]);
      symlinkSync('/dev/zero', join(folder, 'run', 'zeros'));
      expect(Object.keys((await openFolder(chosen(join(folder, 'run')))) ?? {})).toEqual(['run.json']);
      // A file of a gigabyte and a byte, which takes no room on the disk.
      truncateSync(write('run/large.bin', ''), 2 ** 30 + 1);
      await expect(openFolder(chosen(join(folder, 'run')))).rejects.toThrow(/large\.bin: found 1073741825 bytes/);
    },
  );

  it('do not overwrite a folder that holds something', async () => {
    mkdirSync(join(folder, 'run'));
    write('run/kept', 'kept');
    await expect(saveFolder(chosen(join(folder, 'run')), 'run', { 'run.json': bytes })).rejects.toThrow(
      /ENOTEMPTY|EEXIST/,
    );
    expect(readdirSync(folder)).toEqual(['run']);
    expect(readdirSync(join(folder, 'run'))).toEqual(['kept']);
  });

  it('give nothing when they are cancelled', async () => {
    expect(await chooseScenario(cancelled)).toBeUndefined();
    expect(await saveFile(cancelled, 'a', bytes)).toBeUndefined();
    expect(await saveFolder(cancelled, 'a', {})).toBeUndefined();
    expect(await openFolder(cancelled)).toBeUndefined();
  });
});

describe('files handed over from outside', () => {
  it('are the words of a command line that are neither a switch nor the application', () => {
    const words = ['--inspect', '.', 'a.json', '/tmp/b.SHOAL.JSON', '--open=c.json', 'notes.txt'];
    expect(filesOf(words, '/home', '/home')).toEqual(['/home/a.json', '/tmp/b.SHOAL.JSON', '/home/notes.txt']);
  });

  it('may be addresses, as file managers give them', () => {
    const words = ['file:///home/a%20b.shoal.json', 'FILE:///c.json'];
    expect(filesOf(words, '/', '/opt')).toEqual(['/home/a b.shoal.json', '/c.json']);
    // Opening them fails, which is told.
    const none = ['file://elsewhere/a.json', 'file:///%', 'file:///a%2fb.json'];
    expect(filesOf(none, '/', '/opt')).toEqual(none);
  });

  it('wait until the page listens, and again while it is reloaded', async () => {
    const delivered: string[] = [];
    const opening = createOpening(
      (path) => Promise.resolve(path),
      (opened) => delivered.push(opened),
      () => undefined,
    );
    opening.add('a.json');
    expect(opening.waiting).toEqual(['a.json']);
    opening.setListening(true);
    opening.add('b.json');
    await vi.waitFor(() => expect(delivered).toEqual(['a.json', 'b.json']));
    opening.setListening(false);
    opening.add('c.json');
    expect(opening.waiting).toEqual(['c.json']);
  });

  it('that cannot be read are told', async () => {
    const refused: string[] = [];
    const opening = createOpening(
      () => Promise.reject(new Error('gone')),
      () => undefined,
      (path) => refused.push(path),
    );
    opening.setListening(true);
    opening.add('a.json');
    await vi.waitFor(() => expect(refused).toEqual(['a.json']));
  });
});

function recovery() {
  const said: string[] = [];
  const loaded: string[] = [];
  let quits = 0;
  let time = 0;
  const parts = createRecovery({
    tell: (message) => {
      said.push(message);
      return Promise.resolve();
    },
    load: (url) => loaded.push(url),
    quit: () => (quits += 1),
    now: () => time,
  });
  return { parts, said, loaded, quits: () => quits, wait: (milliseconds: number) => (time += milliseconds) };
}

describe('a page that is gone', () => {
  const crashed = { reason: 'crashed', exitCode: 5 };

  it('is loaded to go on from its checkpoint, and a person is told', async () => {
    const { parts, said, loaded } = recovery();
    await parts.rendererGone(crashed);
    expect(loaded).toEqual([RECOVERED_PAGE]);
    expect(said).toEqual(['The run was interrupted']);
  });

  it('is left alone when it went by itself', async () => {
    const { parts, said, loaded } = recovery();
    await parts.rendererGone({ reason: 'clean-exit', exitCode: 0 });
    expect([...loaded, ...said]).toEqual([]);
  });

  it('is not started a fourth time in a minute', async () => {
    const { parts, loaded, quits } = recovery();
    for (let i = 0; i < 4; i++) await parts.rendererGone(crashed);
    expect(loaded).toHaveLength(3);
    expect(quits()).toBe(1);
  });

  it('is started again after a while', async () => {
    const { parts, loaded, quits, wait } = recovery();
    for (let i = 0; i < 6; i++) {
      await parts.rendererGone(crashed);
      wait(31_000);
    }
    expect(loaded).toHaveLength(6);
    expect(quits()).toBe(0);
  });

  it('is told of a lost graphics process, not of others', () => {
    const { parts, said } = recovery();
    parts.childGone({ type: 'Utility', ...crashed });
    parts.childGone({ type: 'GPU', reason: 'clean-exit', exitCode: 0 });
    expect(said).toEqual([]);
    parts.childGone({ type: 'GPU', ...crashed });
    parts.childGone({ type: 'GPU', ...crashed });
    expect(said).toEqual(['The graphics process was lost']);
  });
});

describe('the menu', () => {
  const items = (template: readonly MenuItem[]): MenuItem[] =>
    template.flatMap((item) => [item, ...items(item.submenu ?? [])]);

  it('runs the palette’s commands by their ids', () => {
    const run: string[] = [];
    const template = menuTemplate({ platform: 'linux', run: (id) => run.push(id), recent: [] });
    const commands = items(template).filter(({ id }) => id !== undefined);
    for (const { click } of commands) click?.();
    expect(run.toSorted()).toEqual(MENU_COMMANDS.toSorted());
    expect(new Set(run).size).toBe(run.length);
  });

  it('shows keys without taking them from the page, and none on macOS', () => {
    const linux = items(menuTemplate({ platform: 'linux', run: () => undefined, recent: [] }));
    const keys = linux.filter(({ accelerator }) => accelerator !== undefined);
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.every(({ registerAccelerator }) => registerAccelerator === false)).toBe(true);
    const mac = items(menuTemplate({ platform: 'darwin', run: () => undefined, recent: [] }));
    expect(mac.some(({ accelerator }) => accelerator !== undefined)).toBe(false);
    expect(mac[0]).toEqual({ role: 'appMenu' });
  });

  it('offers the developer’s tools while developing alone', () => {
    const [developed, used] = [true, false].map((developing) =>
      items(menuTemplate({ platform: 'linux', run: () => undefined, recent: [], developing })).map(({ role }) => role),
    );
    expect(developed).toEqual(expect.arrayContaining(['reload', 'toggleDevTools']));
    for (const role of ['reload', 'forceReload', 'toggleDevTools']) expect(used).not.toContain(role);
  });

  it('opens recent files', () => {
    let opened = 0;
    const recent = [{ name: 'a.json', open: () => (opened += 1) }];
    const entry = items(menuTemplate({ platform: 'linux', run: () => undefined, recent })).find(
      ({ label }) => label === 'a.json',
    );
    entry?.click?.();
    expect(opened).toBe(1);
  });
});

describe('closing', () => {
  it('asks once when there are unsaved changes, and closes only if the person says so', async () => {
    const answers = [false, true];
    let [asked, destroyed, prevented] = [0, 0, 0];
    const closing = createClosing({
      ask: () => Promise.resolve(answers[asked++] ?? false),
      destroy: () => (destroyed += 1),
      quit: () => undefined,
    });
    const event = { preventDefault: () => (prevented += 1) };
    closing.onClose(event);
    expect(prevented).toBe(0);
    closing.setUnsaved(true);
    closing.onClose(event);
    closing.onClose(event);
    expect([asked, prevented]).toEqual([1, 2]);
    await vi.waitFor(() => {
      closing.onClose(event);
      expect(destroyed).toBe(1);
    });
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['goes on with quitting when that is what asked', true, true, 1],
    ['does not quit when the person keeps editing', true, false, 0],
    ['does not quit when only the window was to be closed', false, true, 0],
  ])('%s', async (_what, quitting, answer, expected) => {
    let [asked, quits] = [0, 0];
    const closing = createClosing({
      ask: () => {
        asked += 1;
        return Promise.resolve(answer);
      },
      destroy: () => undefined,
      quit: () => (quits += 1),
    });
    closing.setUnsaved(true);
    if (quitting) closing.onQuit();
    closing.onClose({ preventDefault: () => undefined });
    await vi.waitFor(() => expect(asked).toBe(1));
    await Promise.resolve();
    expect(quits).toBe(expected);
  });
});

function silent() {
  const questions: { signal: AbortSignal; answer: (answer: 'wait' | 'reload') => void }[] = [];
  const end = vi.fn<() => void>();
  const ask = (signal: AbortSignal) =>
    new Promise<'wait' | 'reload'>((answer) => {
      questions.push({ signal, answer });
    });
  return { questions, end, ...createUnresponsive({ ask, end }) };
}

describe('a page that does not answer', () => {
  it('is asked about once, and ended when the person says so', async () => {
    const { questions, end, onUnresponsive } = silent();
    onUnresponsive();
    onUnresponsive();
    expect(questions).toHaveLength(1);
    questions[0].answer('wait');
    await Promise.resolve();
    expect(end).not.toHaveBeenCalled();
    onUnresponsive();
    questions[1].answer('reload');
    await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
  });

  it('takes the question back when it answers', async () => {
    const { questions, end, onUnresponsive, onAnswer } = silent();
    onUnresponsive();
    onAnswer();
    expect(questions[0].signal.aborted).toBe(true);
    questions[0].answer('reload');
    await Promise.resolve();
    expect(end).not.toHaveBeenCalled();
    onUnresponsive();
    expect(questions).toHaveLength(2);
  });
});

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

  it('is asked about anew where the answer is damaged', async () => {
    write('graphics.json', '{');
    const { done, prepare, found } = graphics(false);
    prepare();
    await found(false);
    expect(done).toEqual(['ask']);
  });
});
