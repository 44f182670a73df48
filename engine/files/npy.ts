/**
 * NumPy's `.npy` format, versions 1.0 to 3.0: reading untrusted bytes, and writing. Little- and big-endian real and integer
 * types are read, in C or Fortran order; arrays are returned in C order as float64.
 */
import { CaseError } from '../errors.ts';
import { quote, shown } from '../words.ts';

export interface NpyArray {
  readonly shape: readonly number[];
  /** C order, last axis fastest. */
  readonly data: Float64Array;
  /** NumPy's type string without its byte order, for example `f8` or `i4`. */
  readonly type: string;
}

/** Axes of an array, as many as NumPy has at most: each costs a step for every element. */
const MOST_AXES = 64;
const MAGIC = '\u0093NUMPY';

/** Reads one element at a byte offset. */
type Reader = (view: DataView, offset: number, littleEndian: boolean) => number;

const READERS: Readonly<Record<string, { readonly bytes: number; readonly read: Reader }>> = {
  f4: { bytes: 4, read: (view, offset, little) => view.getFloat32(offset, little) },
  f8: { bytes: 8, read: (view, offset, little) => view.getFloat64(offset, little) },
  i1: { bytes: 1, read: (view, offset) => view.getInt8(offset) },
  i2: { bytes: 2, read: (view, offset, little) => view.getInt16(offset, little) },
  i4: { bytes: 4, read: (view, offset, little) => view.getInt32(offset, little) },
  i8: { bytes: 8, read: (view, offset, little) => Number(view.getBigInt64(offset, little)) },
  u1: { bytes: 1, read: (view, offset) => view.getUint8(offset) },
  u2: { bytes: 2, read: (view, offset, little) => view.getUint16(offset, little) },
  u4: { bytes: 4, read: (view, offset, little) => view.getUint32(offset, little) },
  u8: { bytes: 8, read: (view, offset, little) => Number(view.getBigUint64(offset, little)) },
  b1: { bytes: 1, read: (view, offset) => view.getUint8(offset) },
};

interface NpyHeader {
  readonly type: string;
  readonly littleEndian: boolean;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  readonly dataOffset: number;
}

/**
 * @param path what to call the file in an error
 * @throws CaseError naming the file, what was found and what is allowed
 */
export function parseNpy(bytes: Uint8Array, path: string): NpyArray {
  const file = shown(path);
  const { type, littleEndian, fortranOrder, shape, dataOffset } = parseHeader(bytes, file);
  const { bytes: size, read } = READERS[type];
  const length = shape.reduce((product, extent) => product * extent, 1);
  const found = bytes.byteLength - dataOffset;
  if (found !== length * size) {
    throw new CaseError(
      `${file}: shape [${shown(shape.join(', '))}] of type ${type} needs ${length * size} bytes of data, found ${found}; the file is cut off or has more than one array`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + dataOffset, found);
  const stored = new Float64Array(length);
  for (let i = 0; i < length; i++) stored[i] = read(view, i * size, littleEndian);
  return { shape, type, data: fortranOrder ? toCOrder(stored, shape) : stored };
}

function parseHeader(bytes: Uint8Array, file: string): NpyHeader {
  const latin = new TextDecoder('latin1');
  if (
    bytes.byteLength < 10 ||
    latin.decode(bytes.subarray(0, 6)) !== latin.decode(Uint8Array.from(MAGIC, (c) => c.charCodeAt(0)))
  ) {
    throw new CaseError(`${file}: not a .npy file (its first bytes are not \\x93NUMPY)`);
  }
  const version = bytes[6];
  if (version < 1 || version > 3)
    throw new CaseError(`${file}: .npy format version ${version}, versions 1 to 3 are read`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = version === 1 ? 10 : 12;
  if (bytes.byteLength < start) throw new CaseError(`${file}: the .npy header is cut off`);
  const headerLength = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataOffset = start + headerLength;
  if (dataOffset > bytes.byteLength) {
    throw new CaseError(`${file}: the .npy header should have ${headerLength} bytes, the file ends before`);
  }
  const text = latin.decode(bytes.subarray(start, dataOffset));
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const shapeText = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (descr === undefined || order === undefined || shapeText === undefined) {
    throw new CaseError(`${file}: the .npy header lacks a plain 'descr', 'fortran_order' or 'shape'`);
  }
  const type = descr.replace(/^[<>|=]/, '');
  if (!Object.hasOwn(READERS, type)) {
    throw new CaseError(`${file}: array type ${quote(descr)} is not read; allowed: ${Object.keys(READERS).join(', ')}`);
  }
  const shape = shapeText
    .split(',')
    .map((extent) => extent.trim())
    .filter((extent) => extent !== '')
    .map(Number);
  if (shape.length > MOST_AXES) throw new CaseError(`${file}: found ${shape.length} axes, allowed: ${MOST_AXES}`);
  if (
    !shape.every(Number.isSafeInteger) ||
    !Number.isSafeInteger(shape.reduce((product, extent) => product * extent, 1))
  ) {
    throw new CaseError(`${file}: the shape (${shown(shapeText.trim())}) is too large`);
  }
  return { type, littleEndian: !descr.startsWith('>'), fortranOrder: order === 'True', shape, dataOffset };
}

/** Reorders Fortran-ordered elements (first axis fastest) to C order. */
function toCOrder(stored: Float64Array, shape: readonly number[]): Float64Array {
  const ordered = new Float64Array(stored.length);
  const index = new Uint32Array(shape.length);
  for (const value of stored) {
    let position = 0;
    for (let axis = 0; axis < shape.length; axis++) position = position * shape[axis] + index[axis];
    ordered[position] = value;
    for (let axis = 0; axis < shape.length && ++index[axis] === shape[axis]; axis++) index[axis] = 0;
  }
  return ordered;
}

/** @returns the bytes of a version 1.0 file of little-endian float64 (`f8`) or float32 (`f4`) values in C order */
export function formatNpy(shape: readonly number[], data: ArrayLike<number>, type: 'f8' | 'f4' = 'f8'): Uint8Array {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '<${type}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const padded = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  const size = type === 'f8' ? 8 : 4;
  const bytes = new Uint8Array(padded + data.length * size);
  bytes.set(Uint8Array.from(MAGIC, (c) => c.charCodeAt(0)));
  bytes[6] = 1;
  const view = new DataView(bytes.buffer);
  view.setUint16(8, padded - 10, true);
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(padded - 11)}\n`), 10);
  for (let i = 0; i < data.length; i++) {
    if (type === 'f8') view.setFloat64(padded + 8 * i, data[i], true);
    else view.setFloat32(padded + 4 * i, data[i], true);
  }
  return bytes;
}
