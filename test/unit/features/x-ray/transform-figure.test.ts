import { expect, test } from 'vitest';
import { transformTable } from '../../../../app/features/x-ray/transform-figure.tsx';

test('the table of a transform has a row for each entry of its matrices', () => {
  const { columns, rows } = transformTable({
    place: { x: 0, y: 0 },
    observations: Uint32Array.of(3, 7, 8),
    observationWeights: Float64Array.of(1, 2, 3, -1, -2, -3),
    covariance: Float64Array.of(0.5, 0.1, 0.1, 0.5),
    root: Float64Array.of(0.9, 0.2, 0.2, 0.9),
    eigenvalues: Float64Array.of(1.5, 1),
  });
  expect(columns).toEqual(['matrix', 'member', 'column', 'value']);
  expect(rows).toHaveLength(14);
  expect(rows[4]).toEqual(['C', 1, 'observation 7', -2]);
  expect(rows[7]).toEqual(['Pa', 0, 'member 1', 0.1]);
  expect(rows[13]).toEqual(['W', 1, 'member 1', 0.9]);
});
