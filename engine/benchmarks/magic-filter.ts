/**
 * The magic filter of the Daubechies wavelets of order 16: values of the scaling function's dual on the grid, sixteen taps
 * that sum to 1. The numbers are those of BigDFT (`magicfilter`, its OpenCL kernels and the BOAST generator give the same);
 * there they stand for the offsets −8 … 7, and in reverse order, as [magic-filter] writes it, for −7 … 8: L = 7, U = 8.
 */
const BIGDFT = [
  8.433424733352934e-7, -0.12905572014206067e-4, 0.8762984476210559e-4, -0.30158038132690463e-3, 0.17472371367299391e-2,
  -0.9420470302010804e-2, 0.2373821463724943e-1, 0.612625895831208e-1, 0.9940415697834004, -0.604895289196983516e-1,
  -0.2103025160930381e-1, 0.13372634148547949e-1, -0.34412814449349386e-2, 0.4944322768868992e-3,
  -0.518598688173432923e-4, 2.727344929119797e-6,
];

/** ω_j, j = −7 … 8. */
export const MAGIC_FILTER = { taps: BIGDFT.toReversed(), lower: 7 } as const;

/** Its transpose, j = −8 … 7: from values back to coefficients. */
export const INVERSE_MAGIC_FILTER = { taps: BIGDFT, lower: 8 } as const;
