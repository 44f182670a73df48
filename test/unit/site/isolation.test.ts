import { describe, expect, it, vi } from 'vitest';
import { isolate } from '../../../app/site/isolation.ts';
import type { IsolationParts } from '../../../app/site/isolation.ts';

/** A service worker that comes to a state on request. */
function workerIn(state: string) {
  const worker = Object.assign(new EventTarget(), { state });
  return {
    worker,
    become: (next: string): void => {
      worker.state = next;
      worker.dispatchEvent(new Event('statechange'));
    },
  };
}

function partsOf({ register, ...more }: Partial<IsolationParts> & { readonly register?: () => Promise<unknown> }) {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const reload = vi.fn<() => void>();
  const registering = vi.fn(register ?? (() => Promise.resolve({ active: workerIn('activated').worker })));
  const parts: IsolationParts = {
    isIsolated: false,
    serviceWorkers: { register: registering as unknown as ServiceWorkerContainer['register'] },
    storage,
    reload,
    ...more,
  };
  return { parts, kept, reload, registering };
}

describe('isolating a page whose host sets no headers', () => {
  it('needs nothing where it is isolated', async () => {
    const { parts, registering, reload } = partsOf({ isIsolated: true });
    await expect(isolate('./worker.js', parts)).resolves.toStrictEqual({ kind: 'isolated' });
    expect(registering).not.toHaveBeenCalled();
    expect(reload).not.toHaveBeenCalled();
  });

  it('loads the page again once the service worker answers for it', async () => {
    const { worker, become } = workerIn('installing');
    const { parts, registering, reload } = partsOf({ register: () => Promise.resolve({ installing: worker }) });
    const isolated = isolate('./worker.js', parts);
    await Promise.resolve();
    become('activating');
    await Promise.resolve();
    expect(reload).not.toHaveBeenCalled();
    become('activated');
    await expect(isolated).resolves.toStrictEqual({ kind: 'reloading' });
    expect(reload).toHaveBeenCalledTimes(1);
    // An older script that the browser keeps is not asked first.
    expect(registering).toHaveBeenCalledWith('./worker.js', { scope: './', updateViaCache: 'none' });
  });

  it('never loads it a third time, and says why it is not isolated', async () => {
    const { parts, reload } = partsOf({});
    await isolate('./worker.js', parts);
    await expect(isolate('./worker.js', parts)).resolves.toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/does not isolate/),
    });
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('tries again in the same tab after it has worked: a forced reload goes past the service worker', async () => {
    const { parts, reload } = partsOf({});
    await isolate('./worker.js', parts);
    await isolate('./worker.js', { ...parts, isIsolated: true });
    await expect(isolate('./worker.js', parts)).resolves.toStrictEqual({ kind: 'reloading' });
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it.each<readonly [what: string, parts: Parameters<typeof partsOf>[0], why: RegExp]>([
    ['there are no service workers', { serviceWorkers: undefined }, /no service workers/],
    ['nothing is remembered, so that there would be no end of it', { storage: undefined }, /keeps nothing/],
    ['the script is not available', { register: () => Promise.reject(new Error('404')) }, /does not work: 404/],
    [
      'it cannot be installed',
      { register: () => Promise.resolve({ waiting: workerIn('redundant').worker }) },
      /could not be installed/,
    ],
  ])('continues without where %s', async (_what, given, why) => {
    const { parts, reload } = partsOf(given);
    await expect(isolate('./worker.js', parts)).resolves.toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(why),
    });
    expect(reload).not.toHaveBeenCalled();
  });

  it('does not wait for ever', async () => {
    vi.useFakeTimers();
    const { parts } = partsOf({ register: () => Promise.resolve({ installing: workerIn('installing').worker }) });
    const isolated = isolate('./worker.js', parts);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await expect(isolated).resolves.toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/did not start in time/),
    });
  });
});
