/** Pictures as numbers: reads the PNG files that browsers write, and says how much two of them differ. */
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue of each pixel, 0 to 255, row by row from the top. */
  readonly rgb: Uint8Array;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Channels by the colour type of the header: RGB, places in a palette, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 3: 1, 6: 4 };

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** Takes a row's filter back, in place; `above` is the row before, or zeros. */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let n = 0; n < row.length; n++) {
    const left = n < channels ? 0 : row[n - channels];
    const corner = n < channels ? 0 : above[n - channels];
    const predictions = [0, left, above[n], (left + above[n]) >> 1, paeth(left, above[n], corner)];
    row[n] = (row[n] + predictions[kind]) & 255;
  }
}

/** @throws Error for what is not a PNG of 8 bits a channel, in colour, without interlacing */
export function readPng(bytes: Uint8Array): Picture {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG file');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const channels = CHANNELS[file[25]];
  if (file[24] !== 8 || channels === undefined || file[28] !== 0) throw new Error('a PNG of another kind');
  const parts: Buffer[] = [];
  let palette: Buffer | undefined;
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const size = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    if (kind === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + size));
    if (kind === 'PLTE') palette = file.subarray(at + 8, at + 8 + size);
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rgb = new Uint8Array(width * height * 3);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const row = data.subarray(start + 1, start + 1 + stride);
    unfilter(data[start], row, above, channels);
    above = new Uint8Array(row);
    for (let x = 0; x < width; x++) {
      const colour = palette?.subarray(3 * row[x], 3 * row[x] + 3) ?? row.subarray(x * channels, x * channels + 3);
      rgb.set(colour, 3 * (y * width + x));
    }
  }
  return { width, height, rgb };
}

/** @returns the part of a picture within a box of whole pixels */
export function cropped(picture: Picture, { x, y, width, height }: Box): Picture {
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const start = 3 * ((y + row) * picture.width + x);
    rgb.set(picture.rgb.subarray(start, start + 3 * width), 3 * row * width);
  }
  return { width, height, rgb };
}

/** @returns how many colours a picture has, those that differ by less than 1/16 of a channel taken as one */
export function countColours({ rgb }: Picture): number {
  const found = new Set<number>();
  for (let n = 0; n < rgb.length; n += 3)
    found.add(((rgb[n] >> 4) << 8) | ((rgb[n + 1] >> 4) << 4) | (rgb[n + 2] >> 4));
  return found.size;
}

/** @returns the share of pixels that differ clearly, by more than a tenth in some channel; over what both pictures cover */
export function shareOfDifference(a: Picture, b: Picture): number {
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [at, to] = [3 * (y * a.width + x), 3 * (y * b.width + x)];
      const largest = Math.max(...[0, 1, 2].map((n) => Math.abs(a.rgb[at + n] - b.rgb[to + n])));
      if (largest > 25) count += 1;
    }
  }
  return count / (width * height);
}
