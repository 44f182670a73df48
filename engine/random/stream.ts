/**
 * Random streams by purpose. Each purpose of a run (`truth.initial`, `observations.gauges.noise`, …) has a stream of its own,
 * keyed by the run's seed and the purpose's name and counted by cycle and member, so that adding a method or a network
 * changes no other number, and a resumed run draws what the uninterrupted one did.
 */

/**
 * Philox 4×32-10: a counter-based random generator. Block n of a key is a pure function of both, so streams need no state
 * and any draw can be made again on its own. Source: [salmon2011].
 */
const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** The high 32 bits of the 64-bit product of two unsigned 32-bit integers, in which no sum reaches 2³². */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) >>> 0;
  const other = (Math.imul(aLow, bHigh) + (middle & 0xffff)) >>> 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16)) >>> 0;
}

/**
 * Replaces the counter block by its random block.
 *
 * @param block four unsigned 32-bit words: the counter on entry, random bits on return
 * @param key0 first word of the key
 * @param key1 second word of the key
 */
export function philox4x32(block: Uint32Array, key0: number, key1: number): void {
  let k0 = key0 >>> 0;
  let k1 = key1 >>> 0;
  let c0 = block[0];
  let c1 = block[1];
  let c2 = block[2];
  let c3 = block[3];
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0) >>> 0;
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low1 = Math.imul(MULTIPLIER_1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + WEYL_0) >>> 0;
    k1 = (k1 + WEYL_1) >>> 0;
  }
  block[0] = c0;
  block[1] = c1;
  block[2] = c2;
  block[3] = c3;
}

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
