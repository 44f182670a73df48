import { expect, it, vi } from 'vitest';
import { createElectronHost } from '../../../app/host/electron.ts';
import { createSettings } from '../../../app/host/browser.ts';
import type { NewPartPayload, OpenedPayload, ShoalBridge } from '../../../app/preload/bridge.ts';

const payload: OpenedPayload = { id: 'ab12', name: 'mine.json', bytes: new Uint8Array([1]) };

function bridgeStandIn() {
  let tellOpened: ((file: OpenedPayload) => void) | undefined;
  let tellCommand: ((command: string) => void) | undefined;
  const stopped: string[] = [];
  const bridge = {
    openScenario: vi.fn(() => Promise.resolve(payload)),
    openRecent: vi.fn(() => Promise.resolve(undefined)),
    recent: vi.fn(() => Promise.resolve([{ id: 'ab12', name: 'mine.json' }])),
    sibling: vi.fn(() => Promise.resolve(new Uint8Array([7]))),
    save: vi.fn(() => Promise.resolve('a.csv')),
    saveFolder: vi.fn(() => Promise.resolve('run')),
    nameFolder: vi.fn((name: string) => Promise.resolve({ id: 'ef56', name })),
    writePart: vi.fn((_part: NewPartPayload) => Promise.resolve()),
    finishFolder: vi.fn(() => Promise.resolve()),
    abandonFolder: vi.fn(() => Promise.resolve()),
    openFolder: vi.fn(() =>
      Promise.resolve({ id: 'cd34', files: { 'run.json': new Uint8Array([2]) }, parted: { 'fields.nc': 9 } }),
    ),
    readPart: vi.fn(() => Promise.resolve(new Uint8Array([5]))),
    setUnsaved: vi.fn(() => Promise.resolve()),
    copyText: vi.fn(() => Promise.resolve()),
    graphics: vi.fn(() => Promise.resolve()),
    onOpened: (listener: (file: OpenedPayload) => void) => {
      tellOpened = listener;
      return () => void stopped.push('opened');
    },
    onCommand: (listener: (command: string) => void) => {
      tellCommand = listener;
      return () => void stopped.push('command');
    },
  } satisfies ShoalBridge;
  const page = { title: '' };
  const host = createElectronHost(bridge, {
    page,
    view: Object.assign(new EventTarget(), { location: { hash: '' } }),
    settings: createSettings(undefined),
  });
  return {
    page,
    bridge,
    host,
    stopped,
    open: () => tellOpened?.(payload),
    command: (id: string) => tellCommand?.(id),
  };
}

it('opens files, and asks the main process for what is beside them', async () => {
  const { host, bridge } = bridgeStandIn();
  const opened = await host.openScenario();
  expect(opened).toMatchObject({ name: 'mine.json', bytes: payload.bytes });
  expect(await opened?.siblings('bed.npy', 100)).toEqual(new Uint8Array([7]));
  expect(bridge.sibling).toHaveBeenCalledWith('ab12', 'bed.npy');
  expect(await host.openRecent('gone')).toBeUndefined();
  expect(await host.recent()).toEqual([{ id: 'ab12', name: 'mine.json' }]);
});

it('is notified of files from outside and of the menu, until asked to stop', () => {
  const { host, open, command, stopped } = bridgeStandIn();
  const heard: string[] = [];
  const stopOpening = host.onOpen(
    ({ name }) => heard.push(name),
    (error) => heard.push(String(error)),
  );
  const stopCommands = host.onCommand((id) => heard.push(id));
  open();
  command('run.play');
  expect(heard).toEqual(['mine.json', 'run.play']);
  stopOpening();
  stopCommands();
  expect(stopped).toEqual(['opened', 'command']);
});

it('writes a folder that was named piece by piece, and gives it its name at the end', async () => {
  const { host, bridge } = bridgeStandIn();
  const folder = await host.nameFolder('run');
  const states = new Blob([new Uint8Array(2 ** 23), new Uint8Array([1, 2])]);
  expect(await folder?.write({ 'a.csv': new Uint8Array(0) }, { 'fields.nc': states })).toBe('written');
  const parts = bridge.writePart.mock.calls.map(([{ id, path, from, bytes }]) => [id, path, from, bytes.length]);
  expect(parts).toEqual([
    ['ef56', 'a.csv', 0, 0],
    ['ef56', 'fields.nc', 0, 2 ** 23],
    ['ef56', 'fields.nc', 2 ** 23, 2],
  ]);
  expect(bridge.finishFolder).toHaveBeenCalledWith('ef56');
  await folder?.abandon();
  expect(bridge.abandonFolder).toHaveBeenCalledWith('ef56');
});

it('passes the rest on', async () => {
  const { host, bridge, page } = bridgeStandIn();
  const bytes = new Uint8Array([3]);
  expect(await host.save('a.csv', 'text/csv', bytes)).toBe('a.csv');
  expect(bridge.save).toHaveBeenCalledWith('a.csv', 'text/csv', bytes);
  expect(await host.saveFolder('run', { 'run.json': bytes })).toBe('run');
  const folder = await host.openFolder();
  expect(folder?.files).toEqual({ 'run.json': new Uint8Array([2]) });
  expect(folder?.parted['fields.nc'].size).toBe(9);
  expect(await folder?.parted['fields.nc'].read(4, 2)).toEqual(new Uint8Array([5]));
  expect(bridge.readPart).toHaveBeenCalledWith({ id: 'cd34', path: 'fields.nc', from: 4, bytes: 2 });
  host.setTitle('Shoal');
  host.setUnsaved(true);
  await host.copyText('text');
  expect(page.title).toBe('Shoal');
  expect(bridge.setUnsaved).toHaveBeenCalledWith(true);
  expect(bridge.copyText).toHaveBeenCalledWith('text');
  host.writeSetting('theme', 'light');
  expect(host.readSetting('theme')).toBe('light');
});
