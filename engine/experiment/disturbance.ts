/** States that are wrong by a rounding: what a run makes of them says how far roundings grow in it. */
import { randomStream } from '../random/stream.ts';
import type { Checkpoint } from './checkpoint.ts';

/** @param change gives another value for one, with a sign drawn for it */
export function disturbed(
  { arrays, ...rest }: Checkpoint,
  change: (value: number, sign: number, array: string) => number,
): Checkpoint {
  const shifted = Object.entries(arrays).map(([name, values]) => {
    // A stream that no run has.
    const draw = randomStream(1, `verification.${name}`);
    return [name, values.map((value) => change(value, Math.sign(draw.normal()), name))];
  });
  return { ...rest, arrays: Object.fromEntries(shifted) };
}

function isState(array: string): boolean {
  return array === 'truth' || array.startsWith('method.');
}

/** The states of truth and methods wrong by one unit in the last place of float32: what else runs carry stays. */
export function wrongByARounding(checkpoint: Checkpoint): Checkpoint {
  return disturbed(checkpoint, (value, sign, array) => (isState(array) ? value * (1 + sign * 2 ** -23) : value));
}
