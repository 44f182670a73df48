/** The rows of the benchmark that take long, on `wasm`. */
import { expect, it } from 'vitest';
import { median } from '../../../engine/index.ts';
import { backendNamed } from '../../setup/backends.ts';
import { cases } from './cases.ts';
import { analysisErrors, isWithin, SHORT, SHORT_BAR } from './table.ts';

/** Two thousand cycles, each of some thousand small kernels. */
const PATIENCE = 900_000;

it.each(cases.filter(({ isNightly }) => isNightly))(
  '$name: $published',
  async (of) => {
    const backend = await backendNamed('wasm').open();
    const error = median(await analysisErrors(backend, of, SHORT));
    backend.dispose();
    expect(isWithin(SHORT_BAR, of.published, error), `found ${error.toFixed(3)}`).toBe(true);
  },
  PATIENCE,
);
