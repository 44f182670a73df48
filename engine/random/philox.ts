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
