/** The figures of [gain-gpu]. */
import { IN_SECONDS, type PublishedFigure } from '../../benchmarks/index.ts';
import type { GainStep } from './steps/index.ts';

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

/** What a step saved over the one before, per cent of the time. */
const SAVED: Readonly<Partial<Record<GainStep, number>>> = { rows: 5, transposed: 15, 'one launch': 15 };

/** @returns what [gain-gpu] says that a step saved; nothing that a time of ours could be divided by */
export function publishedStep(step: GainStep): readonly PublishedFigure[] {
  const value = SAVED[step];
  if (value === undefined) return [];
  return [
    {
      value,
      unit: '% less time',
      hardware: 'GPU, about, over the step before',
      includes: 'of the whole call, files included',
      source: 'Liu, Liang, Li [gain-gpu]',
      largerIsBetter: true,
      measured: undefined,
    },
  ];
}
