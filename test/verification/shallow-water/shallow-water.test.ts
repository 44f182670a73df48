/** Every case of the verification at coarse grids, on the reference backend. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { cases } from './cases.ts';
import { expectToPass } from './expect-to-pass.ts';

describe('shallow-water verification, reference backend', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each(cases)('$name', async ({ name, coarse }) => {
    expect.hasAssertions();
    expectToPass(name, await coarse(backend));
  });
});
