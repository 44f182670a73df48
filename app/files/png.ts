/** Writes PNG files (ISO/IEC 15948) of eight bits, without interlacing: red, green and blue, or places in a palette. */
import { zlibSync } from 'fflate';
import { crc32 } from '../../engine/index.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const CHANNELS = 3;
/** Kinds of colour, as the header has them. */
const TRUE_COLOUR = 2;
const INDEXED = 3;
/** Each row as what it differs from the one above: water changes little from row to row. */
const UP = 2;

function chunk(kind: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = kind.codePointAt(i) ?? 0;
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function header(width: number, height: number, colours: number): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, colours, 0, 0, 0], 8);
  return bytes;
}

/** @throws RangeError for another length than the picture's */
function checkLength(found: number, width: number, height: number, channels: number): void {
  const needed = channels * width * height;
  if (found !== needed) throw new RangeError(`found ${found} bytes, a picture of ${width} × ${height} has ${needed}`);
}

/** The rows from the top, each as what it differs from the one above, compressed. */
function pixelData(pixels: Uint8Array, stride: number, height: number): Uint8Array {
  const filtered = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1);
    filtered[to] = UP;
    for (let n = 0; n < stride; n++) {
      const above = y > 0 ? pixels[(y - 1) * stride + n] : 0;
      filtered[to + 1 + n] = pixels[y * stride + n] - above;
    }
  }
  return zlibSync(filtered, { level: 9 });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** @param rgb of each pixel, 0 to 255, row by row from the top: 3 · width · height. @throws RangeError for another length */
export function formatPng(width: number, height: number, rgb: Uint8Array): Uint8Array {
  checkLength(rgb.length, width, height, CHANNELS);
  return joined([
    SIGNATURE,
    chunk('IHDR', header(width, height, TRUE_COLOUR)),
    chunk('IDAT', pixelData(rgb, CHANNELS * width, height)),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/**
 * @param palette red, green and blue of each colour, 0 to 255; at most 256 colours
 * @param places of the pixels' colours in the palette, row by row from the top: width · height
 * @throws RangeError for another length, or a palette that is none
 */
export function formatIndexedPng(width: number, height: number, palette: Uint8Array, places: Uint8Array): Uint8Array {
  checkLength(places.length, width, height, 1);
  const colours = palette.length / CHANNELS;
  if (!Number.isInteger(colours) || colours < 1 || colours > 256) {
    throw new RangeError(`found a palette of ${palette.length} bytes, allowed: three for each of 1 to 256 colours`);
  }
  return joined([
    SIGNATURE,
    chunk('IHDR', header(width, height, INDEXED)),
    chunk('PLTE', palette),
    chunk('IDAT', pixelData(places, width, height)),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
