import { describe, expect, it, vi } from 'vitest';
import { packAround, packFolder, unpackFolder } from '../../../app/files/zip.ts';
import { createBrowserHost, createRecentFiles, type BrowserParts, createSettings } from '../../../app/host/browser.ts';
import { namedFile, openedFrom, type FileKinds, type PickedFile } from '../../../app/host/files.ts';
import type { OpenedFile } from '../../../app/host/host.ts';
import type { SiteFacts } from '../../../app/host/incoming.ts';
import { soon } from '../../setup/soon.ts';
import { memoryStore } from './memory-store.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

function file(name: string, content = name): PickedFile {
  return { name, size: content.length, bytes: () => Promise.resolve(bytesOf(content)) };
}

/** For what nothing is expected to go wrong with. */
function fail(error: unknown): never {
  throw error;
}

interface Surroundings {
  readonly picked?: readonly PickedFile[] | undefined;
  readonly search?: string;
  readonly hash?: string;
  readonly site?: SiteFacts;
  readonly hasSharedMemory?: boolean;
  readonly served?: Readonly<Record<string, string>>;
}

function surroundings({
  picked,
  search = '',
  hash = '',
  site,
  hasSharedMemory = true,
  served = {},
}: Surroundings = {}) {
  const view = Object.assign(new EventTarget(), {
    location: { origin: 'https://example.org', pathname: '/courses/shoal/', search, hash },
    history: { replaceState: vi.fn() },
    navigator: { clipboard: { writeText: vi.fn(() => Promise.resolve()) } },
  });
  const page = { title: '' };
  const saved: (readonly [name: string, type: string, bytes: Uint8Array])[] = [];
  const asked: FileKinds[] = [];
  let time = 0;
  const parts: BrowserParts = {
    page: page as Document,
    view: view as unknown as Window,
    pickers: {
      open: (kinds) => {
        asked.push(kinds);
        return Promise.resolve(picked);
      },
      save: (name, type, bytes) => {
        saved.push([name, type, bytes]);
        return Promise.resolve(name);
      },
      name: (name, type) =>
        Promise.resolve({
          name,
          async write(content) {
            saved.push([name, type, new Uint8Array(await content.arrayBuffer())]);
            return 'written';
          },
          abandon: () => Promise.resolve(),
        }),
    },
    recent: createRecentFiles(memoryStore(), () => (time += 1)),
    settings: createSettings(undefined),
    archive: {
      pack: (name, files) => Promise.resolve(packFolder(name, files)),
      packAround: ({ name, files, large }) => packAround(name, files, large),
      unpack: (bytes) => Promise.resolve(unpackFolder(bytes)),
    },
    fetch(path) {
      if (path.includes('refused'))
        return Promise.resolve(new Response('is a named pipe, a file is needed\n', { status: 403 }));
      if (!(path in served)) return Promise.resolve(new Response(null, { status: 404 }));
      return Promise.resolve(
        new Response(served[path], { headers: { 'content-length': String(served[path].length) } }),
      );
    },
    site,
    hasSharedMemory,
  };
  return { host: createBrowserHost(parts), view, page, saved, asked };
}

describe('opening a scenario', () => {
  it('takes the .json among the chosen files, with the others beside it', async () => {
    const { host, asked } = surroundings({ picked: [file('bed.npy', 'array'), file('mine.json', '{}')] });
    const opened = await host.openScenario();
    expect(opened?.name).toBe('mine.json');
    expect(textOf(opened?.bytes)).toBe('{}');
    expect(textOf(await opened?.siblings('bed.npy', 100))).toBe('array');
    expect(await opened?.siblings('other.npy', 100)).toBeUndefined();
    expect(asked[0].extensions).toContain('.json');
  });

  it('takes a wrong file as it is, for whoever reads it to say what is wrong', async () => {
    expect((await openedFrom([file('notes.txt')]))?.name).toBe('notes.txt');
    expect(await openedFrom([])).toBeUndefined();
  });

  it('reads no more of a file than shows that it is too large', async () => {
    const large = new Blob([new Uint8Array(5 * 2 ** 20)]);
    const opened = await openedFrom([namedFile(Object.assign(large, { name: 'film.webm' }))]);
    expect(opened?.bytes).toHaveLength(4 * 2 ** 20 + 1);
  });

  it('says of a folder that it is none', async () => {
    const folder = { name: 'runs', size: 0, bytes: () => Promise.reject(new DOMException('', 'NotFoundError')) };
    await expect(openedFrom([folder])).rejects.toThrow('runs cannot be read; a scenario is a file, not a folder');
  });

  it('is nothing when the person cancels', async () => {
    expect(await surroundings().host.openScenario()).toBeUndefined();
  });

  it('remembers what was opened, and opens it again', async () => {
    const { host } = surroundings({ picked: [file('mine.json', '{"a": 1}')] });
    await host.openScenario();
    const [recent] = await host.recent();
    expect(recent.name).toBe('mine.json');
    expect(textOf((await host.openRecent(recent.id))?.bytes)).toBe('{"a": 1}');
    expect(await host.openRecent('unknown')).toBeUndefined();
  });
});

describe('files handed over', () => {
  it('by the command line come from the local server, with the arrays beside them', async () => {
    const { host } = surroundings({
      search: '?open=a%20b.json',
      served: { './given/a%20b.json': '{}', './given/fields/bed.npy': 'array' },
    });
    const opened = await new Promise<OpenedFile>((resolve, reject) => void host.onOpen(resolve, reject));
    expect(opened.name).toBe('a b.json');
    expect(textOf(await opened.siblings('fields/bed.npy', 100))).toBe('array');
    expect(await opened.siblings('missing.npy', 100)).toBeUndefined();
  });

  it('by the command line are missed aloud when the server does not have them', async () => {
    const { host } = surroundings({ search: '?open=gone.json' });
    const listener = vi.fn<(file: OpenedFile) => void>();
    const failure = await new Promise<unknown>((resolve) => void host.onOpen(listener, resolve));
    expect(failure).toEqual(new Error('gone.json, which the window was opened with, cannot be read'));
    expect(listener).not.toHaveBeenCalled();
  });

  it('and refused by the local server, or too large, are reported with the reason', async () => {
    const served = { './given/a.json': '{}', './given/large.npy': 'x'.repeat(101) };
    const { host } = surroundings({ search: '?open=a.json', served });
    const opened = await new Promise<OpenedFile>((resolve, reject) => void host.onOpen(resolve, reject));
    await expect(opened.siblings('refused.csv', 100)).rejects.toThrow('is a named pipe, a file is needed');
    await expect(opened.siblings('large.npy', 100)).rejects.toThrow('found 101 bytes, allowed: 100');
  });

  it('by a drop of a run folder, packed or as its files, are that folder', async () => {
    const { host, view } = surroundings();
    const [opened, names]: [OpenedFile[], string[]] = [[], []];
    const stop = host.onOpen(
      (each) => opened.push(each),
      fail,
      async ({ name, content }) => void names.push(name, ...Object.keys((await content).files)),
    );
    const drop = (files: readonly File[]): boolean =>
      view.dispatchEvent(
        Object.assign(new Event('drop', { cancelable: true }), {
          dataTransfer: { types: ['Files'], files, items: [] },
        }),
      );
    drop([new File(['{}'], 'run.json'), new File(['a'], 'diagnostics.csv')]);
    await soon(() => expect(names).toEqual(['run.json', 'run.json', 'diagnostics.csv']));
    drop([new File(['{}'], 'mine.json')]);
    await soon(() => expect(opened).toHaveLength(1));
    expect(names).toHaveLength(3);
    stop();
  });

  it('by a drop are opened, and the browser does not open them itself', async () => {
    const { host, view } = surroundings();
    const opened: OpenedFile[] = [];
    const stop = host.onOpen((each) => opened.push(each), fail);
    const files = [new File(['array'], 'bed.npy'), new File(['{}'], 'mine.json')];
    const drop = (types: readonly string[]) =>
      Object.assign(new Event('drop', { cancelable: true }), { dataTransfer: { types, files, items: [] } });
    const event = drop(['Files']);
    view.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
    await soon(() => expect(opened).toHaveLength(1));
    expect(opened[0].name).toBe('mine.json');
    expect(textOf(await opened[0].siblings('bed.npy', 100))).toBe('array');

    const text = drop(['text/plain']);
    view.dispatchEvent(text);
    expect(text.defaultPrevented).toBe(false);
    stop();
    view.dispatchEvent(drop(['Files']));
    await Promise.resolve();
    expect(opened).toHaveLength(1);
  });
});

describe('run folders', () => {
  const files = { 'run.json': bytesOf('{}'), 'fields/eta.npy': bytesOf('array') };

  it('are saved as one .zip that opens again with the same files', async () => {
    const { host, saved } = surroundings();
    expect(await host.saveFolder('first-light-7', files)).toBe('first-light-7.zip');
    const [[, type, archive]] = saved;
    expect(type).toBe('application/zip');
    expect([...archive.subarray(0, 2)]).toEqual([0x50, 0x4b]);
    const again = surroundings({
      picked: [{ name: 'x.zip', size: archive.length, bytes: () => Promise.resolve(archive) }],
    });
    const opened = await again.host.openFolder();
    expect(Object.keys(opened?.files ?? {}).toSorted()).toEqual(['fields/eta.npy', 'run.json']);
    expect(textOf(opened?.files['fields/eta.npy'])).toBe('array');
  });

  it('open from their files too', async () => {
    const opened = await surroundings({ picked: [file('run.json'), file('diagnostics.csv')] }).host.openFolder();
    expect(Object.keys(opened?.files ?? {})).toEqual(['run.json', 'diagnostics.csv']);
    expect(await surroundings({ picked: [] }).host.openFolder()).toBeUndefined();
  });

  it('give the states of their cycles in parts, packed or not', async () => {
    const states = {
      ...file('fields.nc'),
      size: 2 ** 40,
      parted: { size: 2 ** 40, read: async () => bytesOf('part') },
    };
    const loose = await surroundings({ picked: [file('run.json'), states] }).host.openFolder();
    expect([Object.keys(loose?.files ?? {}), loose?.parted['fields.nc'].size]).toEqual([['run.json'], 2 ** 40]);
    const { host, saved } = surroundings();
    const folder = await host.nameFolder('run');
    expect(await folder?.write({ 'run.json': bytesOf('{}') }, { 'fields.nc': new Blob(['states']) })).toBe('written');
    expect([folder?.name, saved[0][0]]).toEqual(['run.zip', 'run.zip']);
    const [[, , archive]] = saved;
    const again = surroundings({
      picked: [{ name: 'x.zip', size: archive.length, bytes: () => Promise.resolve(archive) }],
    });
    const opened = await again.host.openFolder();
    expect(Object.keys(opened?.files ?? {})).toEqual(['run.json']);
    expect(textOf(await opened?.parted['fields.nc'].read(2, 10))).toBe('ates');
  });

  it('that are larger than a run folder can be are refused unread', async () => {
    const large = { ...file('run.zip'), size: 2 ** 30 + 1, bytes: () => Promise.reject(new Error('was read')) };
    await expect(surroundings({ picked: [large] }).host.openFolder()).rejects.toThrow(
      'found 1073741825 bytes, allowed: 1073741824',
    );
  });
});

describe('the window', () => {
  it('asks before it is closed with unsaved changes, and only then', () => {
    const { host, view } = surroundings();
    const closing = () => {
      const event = new Event('beforeunload', { cancelable: true });
      view.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(closing()).toBe(false);
    host.setUnsaved(true);
    expect(closing()).toBe(true);
    host.setUnsaved(false);
    expect(closing()).toBe(false);
  });

  it('has a title and a clipboard, and no native menu', async () => {
    const { host, page, view } = surroundings();
    host.setTitle('First light – Shoal');
    expect(page.title).toBe('First light – Shoal');
    await host.copyText('npm start');
    expect(view.navigator.clipboard.writeText).toHaveBeenCalledWith('npm start');
    expect(host.onCommand(() => undefined)()).toBeUndefined();
  });
});

function paste(view: EventTarget, text: string): Event {
  const event = Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { getData: () => text } });
  view.dispatchEvent(event);
  return event;
}

describe('links', () => {
  const LINK = '#shoal=1.abc';

  it('lead to the page of a site, without what follows its path', () => {
    const { host } = surroundings({ site: { limitation: undefined }, search: '?open=a.json', hash: LINK });
    expect(host.linkAddress).toBe('https://example.org/courses/shoal/');
    expect(host.limitation).toBeUndefined();
  });

  it('never lead to the page of the local server, whose address holds a key', () => {
    expect(surroundings().host.linkAddress).toBeUndefined();
  });

  it('are taken from the address as it was opened, as it changes, and from what is pasted', () => {
    const { host, view } = surroundings({ hash: LINK });
    expect(host.givenLink).toBe(LINK);
    const taken: string[] = [];
    const stop = host.onLink((link) => taken.push(link));
    view.location.hash = '#shoal=1.next';
    view.dispatchEvent(new Event('hashchange'));
    expect(paste(view, `see https://example.org/x/${LINK} there`).defaultPrevented).toBe(true);
    expect(paste(view, 'words').defaultPrevented).toBe(false);
    view.location.hash = '#elsewhere';
    view.dispatchEvent(new Event('hashchange'));
    expect(taken).toStrictEqual(['#shoal=1.next', LINK]);
    stop();
    paste(view, LINK);
    expect(taken).toHaveLength(2);
  });

  it('leave the address when something else is on screen', () => {
    const { host, view } = surroundings({ search: '?a', hash: LINK });
    host.forgetLink();
    expect(view.history.replaceState).toHaveBeenCalledWith(null, '', '/courses/shoal/?a');
    const other = surroundings({ hash: '#other' });
    other.host.forgetLink();
    expect(other.view.history.replaceState).not.toHaveBeenCalled();
  });

  it('come with the reason why the processor has one thread', () => {
    expect(surroundings().host.limitation).toBeUndefined();
    expect(surroundings({ site: { limitation: 'No workers.' } }).host.limitation).toBe('No workers.');
    expect(surroundings({ hasSharedMemory: false }).host.limitation).toContain('SharedArrayBuffer');
  });
});
