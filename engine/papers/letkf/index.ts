/** The paper [letkf-gpu]. */
import type { Paper } from '../paper.ts';

export { letkfBenchmarks } from './benchmarks.ts';
export { analysePoint, type PointAnswer, type PointQuestion } from './live.ts';
export { occupancy, PAPER_CARDS } from './occupancy.ts';

export const letkfPaper: Paper = {
  id: 'letkf',
  subject: 'The LETKF on GPUs',
  authors: ['Blattner', 'Yang'],
  publication:
    'Performance study on CUDA GPUs for parallelizing the local ensemble transformed Kalman filter algorithm, Concurrency and Computation: Practice and Experience, 2012',
  key: 'letkf-gpu',
  suite: 'letkf',
  summary:
    'Each grid point of Moler’s water model has an analysis of its own, from the nine observations around it. Kernels compute C = YᵀR⁻¹ and P = C Y for all points at once; the inverse P̃ᵃ and the whole analysis follow here.',
};
