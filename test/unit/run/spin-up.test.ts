/** A run whose spin-up is long: it says how far it is, and ends at once when it is disposed of. */
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { hold } from './hold.ts';

const drops = { kind: 'drops' as const, count: 1, width: 4 };
const model = { scheme: 'lax-wendroff', timeStep: 0.01, bathymetry: { kind: 'flat', depth: 2 } };

describe.each(backends)('the spin-up of a run on $name', ({ name, open }) => {
  // 100 000 steps of the truth and as many of the members. A device in software, which needs a minute for 15 000, reports every
  // thousand.
  const spinup = { initial: drops, spinup: name === 'webgpu' ? 150 : 1000 };

  it('is given up within a moment when the run is disposed of', async () => {
    const backend: Backend = await open();
    let freed = 0;
    const { run, events } = hold(tinyScenario({ truth: spinup, model, methods: [{ kind: 'free-run' }] }), {
      backend,
      host: { free: () => (freed = performance.now()) },
    });
    const ready = run.ready.catch((reason: unknown) => reason);
    await expect
      .poll(() => events.some((event) => event.type === 'preparing' && event.part === 'spin-up'), { timeout: 60_000 })
      .toBe(true);
    const disposed = performance.now();
    run.dispose();
    expect(await ready).toBeInstanceOf(Error);
    await expect.poll(() => freed, { timeout: 10_000 }).toBeGreaterThan(0);
    await backend.settle();
    // A batch is 50 ms long; what is slow on a busy machine is not minutes.
    expect(performance.now() - disposed).toBeLessThan(5000);
    expect(events.some(({ type }) => type === 'ready' || type === 'failed')).toBe(false);
    backend.dispose();
  });

  it('is reported in shares that grow to nearly one', async () => {
    const backend = await open();
    const { run, events } = hold(tinyScenario(), { backend, states: false });
    await run.ready;
    const shares = events.flatMap((event) =>
      event.type === 'preparing' && event.part === 'spin-up' ? [event.share] : [],
    );
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(0.8);
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
    run.dispose();
  });
});
