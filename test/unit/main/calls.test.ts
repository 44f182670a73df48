/** Items 17 and 20 of Electron's security checklist (security.test.ts): whose calls are answered, and what the page gets to call. */
import { describe, expect, it } from 'vitest';
import type { CallEvent, Calls, MainIpc } from '../../../app/main/ipc.ts';
import { isTrusted, registerCalls } from '../../../app/main/ipc.ts';
import { developmentOrigin, isOwnAddress } from '../../../app/main/window.ts';
import { PAGE } from '../../../app/main/protocol.ts';
import { CALLS, createBridge, NEWS } from '../../../app/preload/bridge.ts';

function frame(url: string, parent: unknown = null): CallEvent {
  return { senderFrame: { url, parent } };
}

function calls(): { handlers: Map<string, (event: CallEvent, ...values: unknown[]) => unknown>; made: unknown[][] } {
  const handlers = new Map<string, (event: CallEvent, ...values: unknown[]) => unknown>();
  const made: unknown[][] = [];
  const ipc: MainIpc = { handle: (channel, listener) => void handlers.set(channel, listener) };
  const record = new Proxy({} as Calls, {
    get:
      (_target, name) =>
      (...values: unknown[]) => {
        made.push([name, ...values]);
        return Promise.resolve(undefined);
      },
  });
  registerCalls(ipc, record);
  return { handlers, made };
}

describe('17: calls are answered', () => {
  it('for the top frame of the own page alone', () => {
    expect(isTrusted(frame(PAGE))).toBe(true);
    expect(isTrusted(frame('app://shoal/index.html?recovered'))).toBe(true);
    expect(isTrusted(frame('app://other/'))).toBe(false);
    expect(isTrusted(frame('https://shoal/'))).toBe(false);
    expect(isTrusted(frame('file:///etc/passwd'))).toBe(false);
    expect(isTrusted(frame('not an address'))).toBe(false);
    expect(isTrusted(frame(PAGE, {}))).toBe(false);
    expect(isTrusted({ senderFrame: null })).toBe(false);
  });

  it('never by a server of another machine', () => {
    expect(developmentOrigin('http://127.0.0.1:5173/')).toBe('http://127.0.0.1:5173');
    for (const address of [undefined, '', 'http://example.org/', 'https://127.0.0.1/', 'file:///x', 'nonsense']) {
      expect(developmentOrigin(address)).toBeUndefined();
    }
  });

  it('for the development server only when there is one', () => {
    expect(isOwnAddress('http://127.0.0.1:5173/', 'http://127.0.0.1:5173')).toBe(true);
    expect(isOwnAddress('http://127.0.0.1:5173/')).toBe(false);
    expect(isOwnAddress('http://127.0.0.1:5174/', 'http://127.0.0.1:5173')).toBe(false);
  });

  it('on the channels of the bridge and no others', () => {
    expect([...calls().handlers.keys()].toSorted()).toEqual(Object.values(CALLS).toSorted());
  });

  it('never for a stranger, on any channel', () => {
    const { handlers, made } = calls();
    for (const [channel, handler] of handlers) {
      expect(() => handler(frame('https://example.org/'))).toThrow(`${channel} is refused: it does not come`);
    }
    expect(made).toEqual([]);
  });

  const id = '0123456789abcdef0123456789abcdef';
  const some = new Uint8Array([1, 2]);
  it.each([
    [CALLS.openScenario, [], ['openScenario']],
    [CALLS.openRecent, [id], ['openRecent', id]],
    [CALLS.sibling, [{ id, name: 'fields/bed.npy' }], ['sibling', id, 'fields/bed.npy']],
    [
      CALLS.save,
      [{ name: 'a b.json', type: 'application/json', bytes: some }],
      ['save', 'a b.json', 'application/json', some],
    ],
    [CALLS.saveFolder, [{ name: 'run', files: { 'a/b.csv': some } }], ['saveFolder', 'run', { 'a/b.csv': some }]],
    [
      CALLS.readPart,
      [{ id, path: 'fields.nc', from: 0, bytes: 9 }],
      ['readPart', { id, path: 'fields.nc', from: 0, bytes: 9 }],
    ],
    [CALLS.nameFolder, ['run'], ['nameFolder', 'run']],
    [
      CALLS.writePart,
      [{ id, path: 'a/b.csv', from: 3, bytes: some }],
      ['writePart', { id, path: 'a/b.csv', from: 3, bytes: some }],
    ],
    [CALLS.setUnsaved, [true], ['setUnsaved', true]],
    [CALLS.copyText, ['npm start'], ['copyText', 'npm start']],
  ])('when what comes is of the right form: %s', (channel, values, expected) => {
    const { handlers, made } = calls();
    handlers.get(channel)?.(frame(PAGE), ...values);
    expect(made).toEqual([expected]);
  });

  it.each([
    [CALLS.openScenario, ['/etc/passwd']],
    [CALLS.openRecent, ['../../etc/passwd']],
    [CALLS.openRecent, [7]],
    [CALLS.sibling, [{ id, name: '../secret.npy' }]],
    [CALLS.sibling, [{ id, name: '/etc/bed.npy' }]],
    [CALLS.sibling, [{ id, name: 'C:\\bed.npy' }]],
    [CALLS.save, [{ name: '../a.json', type: 'application/json', bytes: some }]],
    [CALLS.save, [{ name: 'a.json', type: 'application/json', bytes: 'text' }]],
    [CALLS.save, [{ name: 'a.json', type: 'application/json', bytes: some, path: '/etc' }]],
    [CALLS.saveFolder, [{ name: 'run', files: { '../a.csv': some } }]],
    [CALLS.saveFolder, [{ name: 'run', files: { 'a//b.csv': some } }]],
    [CALLS.readPart, [{ id, path: '../fields.nc', from: 0, bytes: 9 }]],
    [CALLS.readPart, [{ id, path: 'fields.nc', from: -1, bytes: 9 }]],
    [CALLS.readPart, [{ id, path: 'fields.nc', from: 0, bytes: 2 ** 31 }]],
    [CALLS.nameFolder, ['../run']],
    [CALLS.writePart, [{ id, path: '../b.csv', from: 0, bytes: some }]],
    [CALLS.writePart, [{ id, path: 'b.csv', from: -1, bytes: some }]],
    [CALLS.finishFolder, ['run']],
    [CALLS.setUnsaved, ['yes']],
    [CALLS.copyText, ['x'.repeat(2 ** 20 + 1)]],
    [CALLS.listening, [1]],
  ])('and refused when it is not: %s %j', (channel, values) => {
    const { handlers, made } = calls();
    expect(() => handlers.get(channel)?.(frame(PAGE), ...values)).toThrow('is refused');
    expect(made).toEqual([]);
  });
});

describe('20: the bridge', () => {
  it('has calls and news, and nothing of Electron', async () => {
    const invoked: unknown[][] = [];
    const listeners = new Map<string, (event: unknown, ...values: unknown[]) => void>();
    const bridge = createBridge({
      invoke: (...values) => {
        invoked.push(values);
        return Promise.resolve('answer');
      },
      on: (channel, listener) => listeners.set(channel, listener),
      off: (channel) => listeners.delete(channel),
    });
    expect(Object.values(bridge).every((each) => typeof each === 'function')).toBe(true);
    expect(await bridge.sibling('ab', 'bed.npy')).toBe('answer');
    expect(invoked).toEqual([[CALLS.sibling, { id: 'ab', name: 'bed.npy' }]]);

    const told: unknown[] = [];
    const stop = bridge.onCommand((command) => told.push(command));
    // The event, by which a page could reach further, stays behind.
    listeners.get(NEWS.command)?.({ sender: 'secret' }, 'run.play');
    expect(told).toEqual(['run.play']);
    stop();
    expect(listeners.size).toBe(0);
  });
});
