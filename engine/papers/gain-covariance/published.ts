/** The figures of [gain-gpu]. */
import { IN_SECONDS, type PublishedFigure } from '../../benchmarks/index.ts';

const GAIN_SOURCE = 'EnKF gain from a block-Toeplitz taper and a sparse H on GPUs [gain-gpu]';
const WITH_FILES = '1 to 2 s of reading and writing CSV files';

/** What [gain-gpu] has of P_HT with 16384 cells, 64 members and 129 observations. */
export const PUBLISHED_GAIN: readonly PublishedFigure[] = [
  { ...IN_SECONDS, value: 9, hardware: 'GPU, optimised', source: GAIN_SOURCE, includes: WITH_FILES },
  { ...IN_SECONDS, value: 17, hardware: 'CPU, Python', source: GAIN_SOURCE, includes: 'computing only' },
  { ...IN_SECONDS, value: 20, hardware: 'GPU, basic', source: GAIN_SOURCE, includes: WITH_FILES },
  { ...IN_SECONDS, value: 60, hardware: 'CPU, one core', source: GAIN_SOURCE, includes: 'said to be about a minute' },
];
