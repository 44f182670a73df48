/**
 * The fifth-order compactly supported correlation function [gaspari1999, eq. 4.10], as localisation weight.
 *
 * The outer branch is written with its fourfold root at 2 taken out, (2 − z)⁴(z² + 2z − ½)/(12 z), which keeps all digits of
 * the small weights near the edge and never falls below zero; expanded, the polynomial cancels there.
 *
 * @param z distance over half-width c, at least 0; the support is z < 2
 * @returns weight in [0, 1]: 1 at 0, 5/24 at 1, 0 from 2 on
 */
export function gaspariCohn(z: number): number {
  if (z >= 2) return 0;
  if (z <= 1) return 1 - z * z * (5 / 3 - z * (5 / 8 + z * (1 / 2 - z / 4)));
  const toEdge = (2 - z) * (2 - z);
  return (toEdge * toEdge * (z * (z + 2) - 0.5)) / (12 * z);
}
