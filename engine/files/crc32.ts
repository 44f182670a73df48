/** CRC-32 of ISO 3309, as PNG, zip and gzip have it: the polynomial 0xEDB88320, bits reversed. */

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/**
 * @param before of the bytes before these; 0 if there are none
 * @returns the checksum of the bytes, from 0 to 2³² − 1
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let i = 0; i < bytes.length; i++) value = REMAINDERS[(value ^ bytes[i]) & 0xff] ^ (value >>> 8);
  return ~value >>> 0;
}
