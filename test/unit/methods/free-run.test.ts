import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { method } from '../../../engine/check/assimilation/set-up.ts';
import { forecast, hold, MEMBERS, spread } from './set-up.ts';
import type { Held } from './set-up.ts';

describe.each(backends)('the free run on $name', ({ open }) => {
  let backend: Backend;
  let free: Held;
  beforeAll(async () => {
    backend = await open();
    free = await hold(backend, method({ kind: 'free-run' }), spread);
  });
  afterAll(() => {
    free.dispose();
    backend.dispose();
  });

  it('carries every member', () => {
    expect(free.method.members).toBe(MEMBERS);
  });

  it('leaves its forecast as it is, to the last bit', async () => {
    backend.write(free.method.state, forecast);
    const before = await backend.read(free.method.state);
    expect((await free.analyse(0)).state).toEqual(before);
  });

  it('has nothing to report', async () => {
    expect((await free.analyse(0)).report).toEqual({});
  });

  it('has no misfit, for it has no covariance', () => {
    expect(free.method.misfit).toBeUndefined();
  });
});
