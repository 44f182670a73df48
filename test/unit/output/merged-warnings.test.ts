import { expect, it } from 'vitest';
import { withWarning } from '../../../engine/index.ts';

it('keeps each warning once, and counts those that differ from cycle to cycle in numbers alone', () => {
  const said = [
    'methods[1].localisation.halfWidth: 4 m reaches no neighbour',
    'methods[2].localisation.halfWidth: 4 m reaches no neighbour',
    'enkf, cycle 5: the covariance (condition 1.2e+9) is not positive definite',
    'methods[1].localisation.halfWidth: 4 m reaches no neighbour',
    'enkf, cycle 6: the covariance (condition 3.4e+8) is not positive definite',
    'enkf 2, cycle 6: the covariance (condition 3.4e+8) is not positive definite',
    'enkf, cycle 17: the covariance (condition 5) is not positive definite',
  ];
  expect(said.reduce<readonly string[]>(withWarning, [])).toEqual([
    said[0],
    said[1],
    `${said[2]} (and 2 more like it)`,
    said[5],
  ]);
});
