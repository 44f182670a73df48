import { expect, it, vi } from 'vitest';
import type { Checkpoint } from '../../../engine/index.ts';
import { keepRecovery, takeRecovery } from '../../../app/renderer/session/recovery.ts';
import type { Recovery, RecoveryStore } from '../../../app/renderer/session/recovery.ts';
import { tinyScenario } from './scenario.ts';

function memoryStore(): RecoveryStore & { kept: Recovery | undefined } {
  const store: RecoveryStore & { kept: Recovery | undefined } = {
    kept: undefined,
    put: (recovery) => Promise.resolve(void (store.kept = recovery)),
    get: () => Promise.resolve(store.kept),
    clear: () => Promise.resolve(void (store.kept = undefined)),
  };
  return store;
}

const checkpoint = (cycle: number, size = 1): Checkpoint => ({
  cycle,
  arrays: { truth: { byteLength: size } as Float64Array },
  fingerprint: '',
});

it('keeps the latest checkpoint, and gives it once, to a page that was loaded to go on', async () => {
  const store = memoryStore();
  let now = 0;
  const keep = keepRecovery({}, undefined, store, () => now);
  keep(checkpoint(3), tinyScenario());
  await vi.waitFor(() => expect(store.kept?.checkpoint.cycle).toBe(3));
  await Promise.resolve();
  // Not more often than is of use.
  keep(checkpoint(7), tinyScenario());
  expect(store.kept?.checkpoint.cycle).toBe(3);
  now = 60_000;
  keep(checkpoint(9), tinyScenario({ title: 'Changed on the way' }));
  await vi.waitFor(() => expect(store.kept?.checkpoint.cycle).toBe(9));
  expect(await takeRecovery('', store)).toBeUndefined();
  const taken = await takeRecovery('?recovered', store);
  expect(taken).toMatchObject({ scenario: { name: 'tiny', title: 'Changed on the way' }, checkpoint: { cycle: 9 } });
  expect(await takeRecovery('?recovered', store)).toBeUndefined();
});

it('does not keep a run whose checkpoints are too large', async () => {
  const store = memoryStore();
  keepRecovery({}, undefined, store)(checkpoint(3, 2 ** 30), tinyScenario());
  await Promise.resolve();
  expect(store.kept).toBeUndefined();
});

function refuse(): Promise<never> {
  return Promise.reject(new Error('private'));
}

it('goes on without, where the browser keeps nothing', async () => {
  const store = { put: vi.fn(refuse), get: refuse, clear: refuse };
  let now = 0;
  const keep = keepRecovery({}, undefined, store, () => (now += 60_000));
  keep(checkpoint(1), tinyScenario());
  await vi.waitFor(() => {
    keep(checkpoint(2), tinyScenario());
    expect(store.put).toHaveBeenCalledTimes(2);
  });
  expect(await takeRecovery('?recovered', store)).toBeUndefined();
});
