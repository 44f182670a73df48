/**
 * Draws assets/icon.png, 1024 × 1024, and the smaller ones of assets/icons, which Linux wants one by one: three waves of the
 * methods' colours over deep water. `node assets/draw-icon.mjs` writes them again; the picture is made of formulas, so it is
 * the same everywhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 1024;
const SMALLER_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
/** Share of the side that the rounded square leaves free, and the radius of its corners. */
const MARGIN = 0.06;
const RADIUS = 0.2;
/** Width over which an edge fades, in pixels. */
const SOFT = 1.2;

/** From back to front: height at rest, amplitude, wave number, phase, colour. */
const WAVES = [
  [0.36, 0.055, 1.25, 0.1, [0xe6, 0x9f, 0x00]],
  [0.52, 0.065, 1.0, 0.42, [0x56, 0xb4, 0xe9]],
  [0.7, 0.05, 1.4, 0.75, [0xe6, 0xea, 0xf0]],
];
const LINE = 0.034;
const [TOP, BOTTOM] = [
  [0x1b, 0x26, 0x36],
  [0x0b, 0x10, 0x18],
];

function mix(a, b, share) {
  return a.map((value, i) => value + (b[i] - value) * share);
}

/** 1 inside, 0 outside, smooth between. */
function coverage(distance, size) {
  return Math.min(1, Math.max(0, 0.5 - (distance * size) / SOFT));
}

/** Distance to a rounded square in the middle, negative inside. */
function squareDistance(x, y) {
  const half = 0.5 - MARGIN - RADIUS;
  const dx = Math.max(Math.abs(x - 0.5) - half, 0);
  const dy = Math.max(Math.abs(y - 0.5) - half, 0);
  return Math.hypot(dx, dy) - RADIUS;
}

function pixel(x, y, size) {
  let colour = mix(TOP, BOTTOM, y);
  for (const [rest, amplitude, number, phase, tint] of WAVES) {
    const angle = 2 * Math.PI * (number * x + phase);
    const surface = rest + amplitude * Math.sin(angle);
    const slope = 2 * Math.PI * number * amplitude * Math.cos(angle);
    const distance = (y - surface) / Math.hypot(1, slope);
    if (distance > 0) colour = mix(colour, tint, 0.16 * Math.exp(-distance / 0.09));
    colour = mix(colour, tint, coverage(Math.abs(distance) - LINE / 2, size));
  }
  return [...colour, 255 * coverage(squareDistance(x, y), size)].map(Math.round);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function draw(size) {
  const rows = Buffer.alloc(size * (1 + 4 * size));
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      rows.set(pixel((i + 0.5) / size, (j + 0.5) / size, size), j * (1 + 4 * size) + 1 + 4 * i);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const here = dirname(fileURLToPath(import.meta.url));
writeFileSync(join(here, 'icon.png'), draw(SIZE));
mkdirSync(join(here, 'icons'), { recursive: true });
for (const size of SMALLER_SIZES) writeFileSync(join(here, 'icons', `${size}x${size}.png`), draw(size));
