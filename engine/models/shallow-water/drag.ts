/**
 * Linear drag at the bottom: ∂(hu)/∂t = … − r·hu and ∂(hv)/∂t = … − r·hv, what the bottom takes from a current to first order
 * (Rayleigh friction). It acts for half a step before the scheme's own step and for half a step after, by its exact solution, so
 * that a scheme of second order keeps its order. A steady current falls to 1/e of its momentum in 1/r seconds, and so does the
 * energy of a wave, half of which is kinetic. The water's mass stays.
 */

/** @param rate r, 1/s. @returns what is left of a momentum after so many seconds: 1 without drag, to the last bit */
export function dragFactor(rate: number, seconds: number): number {
  return Math.exp(-rate * seconds);
}
