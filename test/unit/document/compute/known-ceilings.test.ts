import { expect, it } from 'vitest';
import { createKnownCeilings } from '../../../../app/document/run/open-run.ts';
import type { Ceilings } from '../../../../engine/index.ts';

const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 10,
  fmaGigaflopsPerSecond: 20,
  dispatchMicroseconds: 1,
  clock: 'wall',
  tickMicroseconds: 5,
};

it('is known for the life of a page, a GPU by its adapter', () => {
  const known = createKnownCeilings();
  expect(known.of('reference')).toBeUndefined();
  known.keep({ name: 'reference', adapter: 'JavaScript, one thread' }, CEILINGS);
  known.keep({ name: 'webgpu', adapter: 'a' }, CEILINGS);
  expect(known.of('reference')).toBe(CEILINGS);
  expect(known.of('webgpu', 'a')).toBe(CEILINGS);
  expect(known.of('webgpu', 'b')).toBeUndefined();
});
