import { expect, it, vi } from 'vitest';
import type { Checkpoint } from '../../../../engine/index.ts';
import { serveKeeping, type Recovery, type RecoveryStore } from '../../../../app/document/recovery/recovery-store.ts';
import { createRecoveryStore, keepRecovery, takeRecovery } from '../../../../app/document/recovery/recovery.ts';
import { tinyScenario } from '../run/tiny-scenario.ts';
import { soon } from '../../../setup/soon.ts';

function memoryStore(): RecoveryStore & { kept: Recovery | undefined } {
  const store: RecoveryStore & { kept: Recovery | undefined } = {
    kept: undefined,
    put: (recovery) => Promise.resolve(void (store.kept = recovery)),
    get: () => Promise.resolve(store.kept),
    clear: () => Promise.resolve(void (store.kept = undefined)),
  };
  return store;
}

const noLesson = (): undefined => undefined;

const checkpoint = (cycle: number, size = 1): Checkpoint => ({
  cycle,
  arrays: { truth: { byteLength: size } as Float64Array },
  fingerprint: '',
});

it('keeps the latest checkpoint, and gives it once, to a page that was loaded to continue', async () => {
  const store = memoryStore();
  let now = 0;
  const keep = keepRecovery({}, noLesson, store, () => now);
  keep(checkpoint(3), tinyScenario());
  await soon(() => expect(store.kept?.checkpoint.cycle).toBe(3));
  await Promise.resolve();
  // Not more often than is of use.
  keep(checkpoint(7), tinyScenario());
  expect(store.kept?.checkpoint.cycle).toBe(3);
  now = 60_000;
  keep(checkpoint(9), tinyScenario({ title: 'Changed on the way' }));
  await soon(() => expect(store.kept?.checkpoint.cycle).toBe(9));
  expect(await takeRecovery('', store)).toBeUndefined();
  const taken = await takeRecovery('?recovered', store);
  expect(taken).toMatchObject({ scenario: { name: 'tiny', title: 'Changed on the way' }, checkpoint: { cycle: 9 } });
  expect(await takeRecovery('?recovered', store)).toBeUndefined();
});

it('does not keep a run whose checkpoints are too large', async () => {
  const store = memoryStore();
  keepRecovery({}, noLesson, store)(checkpoint(3, 2 ** 30), tinyScenario());
  await Promise.resolve();
  expect(store.kept).toBeUndefined();
});

function refuse(): Promise<never> {
  return Promise.reject(new Error('private'));
}

it('continues without, where the browser keeps nothing', async () => {
  const store = { put: vi.fn(refuse), get: refuse, clear: refuse };
  let now = 0;
  const keep = keepRecovery({}, noLesson, store, () => (now += 60_000));
  keep(checkpoint(1), tinyScenario());
  await soon(() => {
    keep(checkpoint(2), tinyScenario());
    expect(store.put).toHaveBeenCalledTimes(2);
  });
  expect(await takeRecovery('?recovered', store)).toBeUndefined();
});

/** A worker of the test's own thread, which can break down. */
function fakeWorker(store: RecoveryStore) {
  type Listener = (message: never) => void;
  let [onPage, onHost]: Listener[] = [];
  let fail: ((error: Error) => void) | undefined;
  const later = (to: () => Listener | undefined, message: unknown): void =>
    queueMicrotask(() => to()?.(message as never));
  serveKeeping({ post: (message) => later(() => onPage, message), listen: (listener) => (onHost = listener) }, store);
  return {
    port: {
      post: (message: unknown) => later(() => onHost, message),
      listen: (listener: Listener) => void (onPage = listener),
      onFailure: (listener: (error: Error) => void) => void (fail = listener),
      close: () => (onPage = undefined as never),
    },
    breakDown: () => fail?.(new Error('gone')),
  };
}

function recoveryAt(cycle: number): Recovery {
  return {
    scenario: tinyScenario(),
    files: {},
    checkpoint: { cycle, arrays: { truth: Float64Array.of(cycle) }, fingerprint: '' },
  };
}

it('has a worker write, and another where that broke down; what the page clears comes after what is being written', async () => {
  const store = memoryStore();
  const workers: ReturnType<typeof fakeWorker>[] = [];
  const kept = createRecoveryStore(() => {
    const worker = fakeWorker(store);
    workers.push(worker);
    return worker.port;
  }, store);
  await kept.clear();
  expect(workers).toHaveLength(0);
  const third = recoveryAt(3);
  await kept.put(third);
  expect(store.kept).toEqual(third);
  // The page goes back to its own.
  expect(store.kept?.checkpoint.arrays['truth'].buffer).not.toBe(third.checkpoint.arrays['truth'].buffer);
  expect(await kept.get()).toBe(store.kept);
  const writes = vi.spyOn(store, 'put');
  const late = kept.put(recoveryAt(4));
  await kept.clear();
  await late;
  expect([store.kept, writes.mock.calls.length, workers.length]).toEqual([undefined, 0, 1]);

  writes.mockReturnValueOnce(new Promise(() => undefined));
  const lost = kept.put(third);
  await soon(() => expect(writes).toHaveBeenCalledTimes(1));
  workers[0].breakDown();
  await expect(lost).rejects.toThrow('gone');
  await kept.put(recoveryAt(5));
  expect(workers).toHaveLength(2);
  expect(store.kept?.checkpoint.cycle).toBe(5);
});
