// What conjugate gradients leave on the device; the same as layout.ts.
// history: four reals an iteration. progress: three indices.

const ALPHA = 0u;
const BETA = 1u;
const RESIDUAL = 2u;
const HALF_NORM = 3u;
const STRIDE = 4u;

const COMPLETED = 0u;
const STATUS = 1u;
const CURRENT = 2u;

const RUNNING = 0u;
const CONVERGED = 1u;
const STAGNATED = 2u;
