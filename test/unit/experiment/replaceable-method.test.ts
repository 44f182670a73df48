/** A method that another takes the place of between two cycles. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReplaceableMethod } from '../../../engine/experiment/replaceable-method.ts';
import type { ReplaceableMethod } from '../../../engine/experiment/replaceable-method.ts';
import { createMethod } from '../../../engine/methods/index.ts';
import type { Method } from '../../../engine/methods/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { contextOf, method } from '../../../engine/check/assimilation/set-up.ts';
import { forecast, MEMBERS, model, spread } from '../methods/set-up.ts';

describe.each(backends)('a replaceable method on $name', ({ open }) => {
  let backend: Backend;
  let context: Awaited<ReturnType<typeof contextOf>>;
  beforeAll(async () => {
    backend = await open();
    context = await contextOf(backend, model, spread, MEMBERS);
  });
  afterAll(() => {
    context.dispose();
    backend.dispose();
  });

  const create = (inflation: number): Promise<Method> =>
    createMethod(method({ kind: 'letkf', localisation: { halfWidth: 4 }, inflation }), context);

  async function analysisOf(held: Method): Promise<Float64Array> {
    held.departures.compute(held.state);
    const analysis = await held.analyse(0);
    await backend.collect();
    await analysis.complete?.();
    return backend.read(held.state);
  }

  async function begun(inflation: number): Promise<ReplaceableMethod> {
    const held = await createReplaceableMethod(backend, () => create(inflation));
    backend.write(held.state, forecast);
    return held;
  }

  it('hands its state over exactly', async () => {
    const held = await begun(1);
    const before = await backend.read(held.state);
    await held.suspend();
    await held.resume(() => create(1.5));
    expect(await backend.read(held.state)).toEqual(before);
    held.dispose();
  });

  it('continues with the analysis of the other settings', async () => {
    const [held, other] = [await begun(1), await begun(1.5)];
    await held.suspend();
    await held.resume(() => create(1.5));
    expect(await analysisOf(held)).toEqual(await analysisOf(other));
    for (const owned of [held, other]) owned.dispose();
  });

  it('frees the method before it makes another', async () => {
    const held = await begun(1);
    const { state } = held;
    let isFreed = false;
    await held.suspend();
    await held.resume(() => {
      try {
        backend.write(state, [0]);
      } catch {
        isFreed = true;
      }
      return create(1.5);
    });
    expect(isFreed).toBe(true);
    held.dispose();
  });

  it('has no state any more when it is disposed', async () => {
    const held = await begun(1);
    held.dispose();
    expect(() => held.state).toThrow('the method is suspended or disposed of');
  });
});
