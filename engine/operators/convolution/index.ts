/**
 * Separable convolution, the magic filter of the wavelet code [magic-filter] in three dimensions and a pair of filters on
 * planes in two:
 *
 *   out(i₁, i₂, i₃) = Σ ω_{j₁} ω_{j₂} ω_{j₃} in(i₁ + j₁, i₂ + j₂, i₃ + j₃),  each j from −lower to taps.length − 1 − lower.
 *
 * One pass an axis. The reference passes read along the fast axis and write transposed, as published; the WebGPU passes
 * leave the layout as it is and take 32 neighbouring lines at a time, which is as coalesced and needs no transposition.
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
