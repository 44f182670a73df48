/**
 * The magic filter of the Daubechies wavelets of order 16: values of the scaling function's dual on the grid, sixteen taps
 * that sum to 1. The numbers are those of BigDFT (`magicfilter`, its OpenCL kernels and the BOAST generator give the same), to the nearest float64;
 * there they represent the offsets −8 … 7, and in reverse order, as [magic-filter] writes it, for −7 … 8: L = 7, U = 8.
 */
const BIGDFT = [
  8.433424733352934e-7, -0.00001290557201342061, 0.0000876298447621056, -0.00030158038132690465, 0.001747237136729939,
  -0.009420470302010804, 0.023738214637249424, 0.0612625895831208, 0.9940415697834004, -0.06048952891969835,
  -0.021030251609303816, 0.013372634148547948, -0.0034412814449349387, 0.0004944322768868992, -0.00005185986881173433,
  0.0000027273449291197967,
];

/** ω_j, j = −7 … 8. */
export const MAGIC_FILTER = { taps: BIGDFT.toReversed(), lower: 7 } as const;

/** Its transpose, j = −8 … 7: from values back to coefficients. */
export const INVERSE_MAGIC_FILTER = { taps: BIGDFT, lower: 8 } as const;
