/** Values evenly spread on a setting's scale: that of the value, or that of the logarithm of its distance from an origin. */
import type { TuningScale } from '../methods/index.ts';

/** Digits that are kept of the distance from the origin: two halvings of any step that is tried stay apart. */
const DIGITS = 3;

function originOf(scale: TuningScale): number {
  return scale.kind === 'log' ? scale.origin : 0;
}

/** @returns where a value lies on the scale; −∞ at the origin of a logarithmic one, NaN beyond it */
export function positionOf(scale: TuningScale, value: number): number {
  return scale.kind === 'log' ? Math.log(value - scale.origin) : value;
}

/** @returns the value at a position, with readable digits */
export function valueOn(scale: TuningScale, position: number): number {
  const origin = originOf(scale);
  const distance = scale.kind === 'log' ? Math.exp(position) : position;
  // The sum of two short decimals is one again.
  return Number((origin + Number(distance.toPrecision(DIGITS))).toPrecision(12));
}

/** @returns the value halfway between two */
export function between(scale: TuningScale, a: number, b: number): number {
  return valueOn(scale, (positionOf(scale, a) + positionOf(scale, b)) / 2);
}

/** @returns the value as far beyond `at` as `behind` is before it */
export function beyond(scale: TuningScale, behind: number, at: number): number {
  return valueOn(scale, 2 * positionOf(scale, at) - positionOf(scale, behind));
}

/** @returns `count` values from one end to the other, both among them as they are given */
export function evenly(scale: TuningScale, from: number, to: number, count: number): number[] {
  const [first, last] = [positionOf(scale, from), positionOf(scale, to)];
  return Array.from({ length: count }, (_, step) => {
    if (step === 0) return from;
    return step === count - 1 ? to : valueOn(scale, first + ((last - first) * step) / (count - 1));
  });
}
