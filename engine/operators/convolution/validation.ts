/** Checks shared by the operators that filter along axes; each message says what was found and what is allowed. */
import { LimitError } from '../../errors.ts';
import type { Taps } from './band.ts';

/** @throws LimitError when `found` is not an integer of at least `least` */
export function checkCount(operator: string, name: string, found: number, least = 1): void {
  if (Number.isInteger(found) && found >= least) return;
  throw new LimitError(`${operator}: ${name} is ${found}, it must be an integer of at least ${least}`);
}

/** @throws LimitError when there are no taps, one is not finite, or `lower` does not point at a tap */
export function checkTaps(operator: string, name: string, { taps, lower }: Taps): void {
  if (taps.length === 0) throw new LimitError(`${operator}: ${name} is empty, at least one tap is needed`);
  const wrong = taps.findIndex((tap) => !Number.isFinite(tap));
  if (wrong >= 0) throw new LimitError(`${operator}: ${name}[${wrong}] is ${taps[wrong]}, taps must be finite numbers`);
  if (Number.isInteger(lower) && lower >= 0 && lower < taps.length) return;
  throw new LimitError(
    `${operator}: lower of ${name} is ${lower}, it must be an integer from 0 to ${taps.length - 1}: the index of the tap at offset 0`,
  );
}
