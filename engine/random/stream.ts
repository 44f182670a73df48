/**
 * Random streams by purpose. Each purpose of a run (`truth.initial`, `observations.gauges.noise`, …) has a stream of its own,
 * keyed by the run's seed and the purpose's name and counted by cycle and member, so that adding a method or a network
 * changes no other number, and a resumed run draws what the uninterrupted one did.
 */
import { philox4x32 } from './philox.ts';

export interface RandomStream {
  /** Uniform on [0, 1), 53 bits. */
  uniform(): number;
  /** Uniform on [low, high). */
  between(low: number, high: number): number;
  /** Standard normal, by Box and Muller. */
  normal(): number;
  /** Uniform on 0 … bound − 1. */
  integer(bound: number): number;
}

/** FNV-1a of a text, continued from `hash`. */
function hashText(text: string, hash: number): number {
  let result = hash;
  for (let i = 0; i < text.length; i++) result = Math.imul(result ^ text.charCodeAt(i), 0x01000193);
  return result >>> 0;
}

/** What a stream is a function of: Philox' key, and the counters within the stream. Unsigned 32-bit integers. */
export type StreamWords = readonly [key0: number, key1: number, index0: number, index1: number];

/**
 * @param seed of the run, an integer from 0 to 2⁵³ − 1
 * @param streamName what the numbers are for; never shared between two uses
 * @param index up to two counters within the stream, for example cycle and member
 */
export function streamWords(seed: number, streamName: string, ...index: readonly number[]): StreamWords {
  const seedLow = seed >>> 0;
  const seedHigh = Math.floor(seed / 2 ** 32) >>> 0;
  const key0 = (seedLow ^ hashText(streamName, 0x811c9dc5)) >>> 0;
  const key1 = (seedHigh ^ hashText(streamName, 0x9dc5811c)) >>> 0;
  return [key0, key1, index[0] ?? 0, index[1] ?? 0];
}

/** The stream of a seed, a name and counters, as for `streamWords`. */
export function randomStream(seed: number, streamName: string, ...index: readonly number[]): RandomStream {
  return streamOf(streamWords(seed, streamName, ...index));
}

export function streamOf([key0, key1, index0, index1]: StreamWords): RandomStream {
  const block = new Uint32Array(4);
  let drawn = 0;
  let used = 4;
  let spare: number | undefined;

  const word = (): number => {
    if (used === 4) {
      block[0] = drawn++;
      block[1] = 0;
      block[2] = index0;
      block[3] = index1;
      philox4x32(block, key0, key1);
      used = 0;
    }
    return block[used++];
  };
  const uniform = (): number => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53;

  return {
    uniform,
    between: (low, high) => low + (high - low) * uniform(),
    normal() {
      if (spare !== undefined) {
        const value = spare;
        spare = undefined;
        return value;
      }
      // 1 − u lies in (0, 1], so the logarithm is finite.
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
      const angle = 2 * Math.PI * uniform();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
    integer: (bound) => Math.floor(uniform() * bound),
  };
}
