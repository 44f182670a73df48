/**
 * The numbers that cases and tests draw: from the engine's own streams, the same for the same stream name and index. No run has
 * streams of these names, so that what a case draws is independent of what it runs.
 */
import { randomStream } from '../random/stream.ts';
import type { RandomStream } from '../random/stream.ts';

export function stream(streamName: string, index = 0): RandomStream {
  return randomStream(1, `verification.${streamName}`, index);
}

/** Numbers without structure in [−1, 1), of 24 bits, so that float32 holds them exactly. */
export function noise(length: number, index = 0): Float64Array {
  const draw = stream('noise', index);
  return Float64Array.from({ length }, () => draw.integer(2 ** 24) / 2 ** 23 - 1);
}

/** Standard normal numbers. */
export function normals(length: number, streamName: string, index = 0): Float64Array {
  const draw = stream(streamName, index);
  return Float64Array.from({ length }, () => draw.normal());
}

/** Uniform numbers from low to high. */
export function between(length: number, low: number, high: number, streamName: string): Float64Array {
  const draw = stream(streamName);
  return Float64Array.from({ length }, () => draw.between(low, high));
}
