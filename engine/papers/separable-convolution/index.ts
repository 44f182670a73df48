/** The paper [magic-filter]. */
import type { Paper } from '../paper.ts';
import { QUOTED } from './published.ts';

export { convolutionBenchmarks } from './benchmarks.ts';
export { quickestPass } from './published.ts';
export { tuningSurface, type Surface, type SurfaceAnswer, type SurfaceQuestion } from './surface.ts';
export { axesAfter, convolutionPasses, type PassesAnswer, type PassesQuestion } from './live.ts';

export const separableConvolutionPaper: Paper = {
  id: 'separable-convolution',
  subject: 'Separable three-dimensional convolutions',
  authors: ['Videau', 'Marangozova-Martin', 'Genovese', 'Deutsch'],
  publication: 'RR-LIG-032, 2013',
  key: 'magic-filter',
  suite: 'convolution',
  summary:
    'The magic filter of a wavelet code convolves a volume with 16 taps along each axis. Each pass writes its result transposed, so that all three read along the fastest axis; a generator makes many variants of the pass, and the fastest is measured.',
  quoted: QUOTED,
};
