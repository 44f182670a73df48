/** States that are wrong by a rounding: what a run makes of them says how far roundings grow in it. */
import { randomStream } from '../random/stream.ts';
import type { Checkpoint } from './checkpoint.ts';

/**
 * @param change gives another value for one, with a sign drawn for it
 * @param draw another one draws other signs
 */
export function disturbed(
  { arrays, ...rest }: Checkpoint,
  change: (value: number, sign: number, array: string) => number,
  draw = 1,
): Checkpoint {
  const shifted = Object.entries(arrays).map(([name, values]) => {
    // A stream that no run has.
    const signs = randomStream(draw, `verification.${name}`);
    return [name, values.map((value) => change(value, Math.sign(signs.normal()), name))];
  });
  return { ...rest, arrays: Object.fromEntries(shifted) };
}

function isState(array: string): boolean {
  return array === 'truth' || array.startsWith('method.');
}

function byARounding(value: number, sign: number, array: string): number {
  return isState(array) ? value * (1 + sign * 2 ** -23) : value;
}

/**
 * The states of truth and methods wrong by one unit in the last place of float32; the rest of a checkpoint stays.
 *
 * @param draw of the signs
 */
export function wrongByARounding(checkpoint: Checkpoint, draw = 1): Checkpoint {
  return disturbed(checkpoint, byARounding, draw);
}
