/** ε: share of the checkerboard that a step takes away. */
export const CHECKERBOARD_DAMPING = 1 / 16;
