/** The number of a view names its variable if the charts show others. */
import { expect, it } from 'vitest';
import { viewScore } from '../../../../app/document/views/view-score.ts';
import { diagnosticsOf } from '../run/fake-run.ts';

it('is called RMSE alone only beside charts of the same variable', () => {
  const row = diagnosticsOf('letkf', 3);
  expect(viewScore(row, 'surface', 'analysis')?.title).toBe('RMSE');
  expect(viewScore(row, 'surface', 'analysis', ['hu', 'hv'])?.title).toBe('RMSE of h');
});
