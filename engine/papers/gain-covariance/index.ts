/** The paper [gain-gpu]. */
import type { Paper } from '../paper.ts';

export { gainCovarianceBenchmarks } from './benchmarks.ts';
export { gainOfBasin, type GainAnswer, type GainQuestion } from './live.ts';

export const gainCovariancePaper: Paper = {
  id: 'gain-covariance',
  subject: 'The gain of the EnKF',
  authors: ['Liu', 'Liang', 'Li'],
  publication: '',
  key: 'gain-gpu',
  suite: 'gain-covariance',
  summary:
    'P_HT, the localised covariance between state and observations, needs only the columns of the taper that H touches. The taper is block Toeplitz: its first row determines it.',
};
