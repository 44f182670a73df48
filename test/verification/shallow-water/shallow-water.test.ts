/** Every case of the verification at coarse grids, on the reference backend. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { isNightly } from '../../setup/nightly.ts';
import { cases } from './cases.ts';
import { expectToPass } from './expect-to-pass.ts';

/** What takes five seconds and more even at coarse grids: `npm run nightly` has it. */
const LONG = new Set([
  'V9 order against a finer grid',
  'V10 mass',
  'V13 order by direction',
  'V14 energy of drops in a basin',
]);
const tested = cases.filter(({ name }) => isNightly || !LONG.has(name));

describe('shallow-water verification, reference backend', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each(tested)('$name', async ({ name, coarse }) => {
    expect.hasAssertions();
    expectToPass(name, await coarse(backend));
  });
});
