/** The paper [rf-gpu]. */
import type { Paper } from '../paper.ts';

export { recursiveFilterBenchmarks } from './benchmarks.ts';
export { filterTimes, type FilterTime } from './figure-1.ts';
export { filterSignal, type FilterAnswer, type FilterQuestion } from './live.ts';

export const recursiveFilterPaper: Paper = {
  id: 'recursive-filter',
  subject: 'K-iterated recursive filters in overlapping blocks',
  authors: ['De Luca', 'Galletti', 'Giunta', 'Marcellino'],
  publication: '',
  key: 'rf-gpu',
  suite: 'recursive-filter',
  summary:
    'A Gaussian smooths a signal by K passes forwards and backwards, each a recurrence of first order. Algorithm 2 cuts the signal into t blocks, extends each by m points, filters them in parallel and drops the extensions.',
};
