/** The figures of [gain-gpu]. */
import { IN_SECONDS, type PublishedFigure } from '../../benchmarks/index.ts';

const WITH_FILES = 'includes 1 to 2 s of reading and writing CSV files';

function seconds(value: number, hardware: string, includes: string): PublishedFigure {
  return { ...IN_SECONDS, value, hardware, includes, source: 'Liu, Liang, Li [gain-gpu]' };
}

/** What [gain-gpu] has of P_HT with 16384 cells, 64 members and 129 observations. */
export const PUBLISHED_GAIN: readonly PublishedFigure[] = [
  seconds(9, 'GPU, optimised', WITH_FILES),
  seconds(17, 'CPU, Python', 'includes the import from the .sdb file'),
  seconds(20, 'GPU, basic', WITH_FILES),
  seconds(60, 'CPU, Butala’s sequential code', 'about 1 minute, whether with files is not said'),
  seconds(3600, 'CPU, the authors’ sequential code', 'more than 1 hour, whether with files is not said'),
];
