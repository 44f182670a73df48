import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { method } from '../../../engine/check/assimilation/set-up.ts';
import { crowded, gauges, hold, MEMBERS, NX, spread } from './set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const settings = method({ kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.05 });

describe.each(backends)('the LETKF on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function fresh(observed: Observed): Promise<Float64Array> {
    const held = await hold(backend, settings, observed);
    const { state } = await held.analyse(0);
    held.dispose();
    return state;
  }

  it('carries every member', async () => {
    const held = await hold(backend, settings, spread);
    expect(held.method.members).toBe(MEMBERS);
    held.dispose();
  });

  it('makes room for more local observations when the network has moved together', async () => {
    const held = await hold(backend, settings, spread);
    await held.analyse(0);
    held.observe(crowded);
    const { state } = await held.analyse(0);
    held.dispose();
    expect(state).toEqual(await fresh(crowded));
  });

  it('finds the observations where they are now, though there are no more of them', async () => {
    const moved = { ...spread, x: spread.x.map((x) => NX - 1 - x) };
    const held = await hold(backend, settings, spread);
    await held.analyse(0);
    held.observe(moved);
    const { state } = await held.analyse(0);
    held.dispose();
    expect(state).toEqual(await fresh(moved));
  });

  it('has a misfit where its covariance can be factorised', async () => {
    const held = await hold(backend, settings, spread);
    await held.analyse(0);
    const { misfit } = held.method;
    expect(misfit && (await backend.read(misfit.status))[0]).toBe(0);
    held.dispose();
  });

  it('has none if there are too many observations for that', async () => {
    const held = await hold(backend, settings, gauges(Array.from({ length: 1025 }, (_, j) => [j % NX, 0])));
    expect(held.method.misfit).toBeUndefined();
    held.dispose();
  });
});
