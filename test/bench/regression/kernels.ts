/**
 * How many times faster than the reference the kernels of the `wasm` backend are on one thread, as they were found, and why a ratio
 * is what it is. A ratio may be better; where it is below half of what is here, something was lost.
 *
 * Found on one core of an Intel Xeon (Sapphire Rapids) with Node 20, whose engine has no fused multiply-add; the lower one where
 * the reference, whose compiler decides again in each process what to inline, was found at two speeds.
 */
export interface RecordedRatio {
  readonly benchmark: string;
  /** Ratio of the least times, reference over `wasm`. */
  readonly ratio: number;
  readonly why: string;
}

export const RECORDED_RATIOS: readonly RecordedRatio[] = [
  {
    benchmark: 'recursive-filter-1d-2000-k50',
    ratio: 14,
    why: 'composite FIR: four lanes, and no array that is looked up and converted',
  },
  {
    benchmark: 'recursive-filter-2d-256-k4',
    ratio: 14,
    why: 'sweeps over lines side by side, as many as the registers hold',
  },
  {
    benchmark: 'convolution-20x24x28',
    ratio: 21,
    why: 'passes while planes are in cache; the reference takes a modulo for every tap',
  },
  { benchmark: 'letkf-32-k12-l9', ratio: 9, why: 'four grid points a vector, poles in place of eigenvectors' },
  {
    benchmark: 'gain-covariance-256x8-m9',
    ratio: 4,
    why: 'eight elements at a time; so small that what a run costs to start counts',
  },
  { benchmark: 'lax-wendroff-48', ratio: 4.3, why: 'four cells a vector, bound by divisions in both' },
  { benchmark: 'richtmyer-48', ratio: 3.1, why: 'four cells a vector, bound by divisions in both' },
  { benchmark: 'central-upwind-48', ratio: 6, why: 'four cells a vector; branches are made selections' },
  { benchmark: 'cycle-24-3dvar-s5', ratio: 2.4, why: 'many short kernels: what it costs to start one counts' },
  { benchmark: 'cycle-24-k6-s5', ratio: 5.5, why: 'all of a cycle, scores and forms without a kernel included' },
];
