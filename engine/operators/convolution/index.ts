/**
 * Separable convolution, the magic filter of the wavelet code [magic-filter] in three dimensions and a pair of filters on
 * planes in two:
 *
 *   out(i₁, i₂, i₃) = Σ ω_{j₁} ω_{j₂} ω_{j₃} in(i₁ + j₁, i₂ + j₂, i₃ + j₃),  each j from −lower to taps.length − 1 − lower.
 *
 * A volume's reference makes one pass an axis, which reads along the fast axis and writes transposed, as published. The other forms
 * leave the layout as it is: they filter a tile of a plane along its rows and then across them while it is near at hand, and go
 * across planes with sums that stay in registers (`*-variants.ts`). Every sum has its terms in the order of its taps, whatever the
 * tile, so that all variants give the same bits.
 */
export { bandGram, bandOfTaps, bandProduct, transposeBand } from './band.ts';
export type { Band, Taps } from './band.ts';
export { eachLine, linesAlong } from './lines.ts';
export type { Lines, LinesFilter } from './lines.ts';
export { gaussianTaps } from './gaussian-taps.ts';
export { convolution } from './volume.ts';
export type { ConvolutionParameters, SeparableConvolution2dParameters } from './parameters.ts';
export { separableConvolution2d } from './planes.ts';
export { convolutionTuning, convolutionVariants } from './tuning.ts';
