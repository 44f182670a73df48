/** Arrays in files: `.npy`, as numpy writes them, and text with commas. */
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
 * NumPy's `.npy` format, versions 1.0 to 3.0: reading untrusted bytes, and writing. Little- and big-endian real and integer
 * types are read, in C or Fortran order; arrays are returned in C order as float64.
 *
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

export interface TextArray extends NpyArray {
  /** @returns where an element is in the file: `line 3, column 2` */
  readonly placeOf: (index: number) => string;
}

const SHAPE = /^[#%]\s*shape\s*:?\s*\(?([\d\s,]+)\)?\s*$/i;
const ANY_SHAPE = /^[#%]\s*shape\s*:/i;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** With semicolons a comma is that of a decimal. */
function separatorOf(line: string): { readonly between: RegExp; readonly decimalComma: boolean } {
  if (line.includes(';')) return { between: /\s*;\s*/, decimalComma: true };
  return { between: line.includes(',') ? /\s*,\s*/ : /\s+/, decimalComma: false };
}

/** @returns NaN for what is no finite number; `1.5d-3` is one, as Fortran writes it */
function numberOf(field: string, decimalComma: boolean): number {
  const plain = field.replace(/^"(.*)"$/, '$1').replace(/d/i, 'e');
  const written = decimalComma ? plain.replace(',', '.') : plain;
  const value = NUMBER.test(written) ? Number(written) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

/** The shape of a `# shape:` line, checked against the numbers; undefined without one. */
function declaredShape(lines: readonly string[], length: number, file: string): readonly number[] | undefined {
  const at = lines.findIndex((line) => SHAPE.test(line.trim()) || ANY_SHAPE.test(line.trim()));
  if (at < 0) return undefined;
  const text = lines[at].trim();
  const [, listed] = SHAPE.exec(text) ?? [];
  if (listed === undefined) {
    throw new CaseError(`${file}: line ${at + 1}: found ${quote(text)}, allowed: extents, as in # shape: 2, 3, 4`);
  }
  const shape = listed
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
  if (shape.reduce((product, extent) => product * extent, 1) !== length) {
    throw new CaseError(
      `${file}: line ${at + 1}: found the shape ${shape.join(' × ')}, allowed: that of ${length} numbers`,
    );
  }
  return shape;
}

/**
 * Arrays as CSV: a line a row of numbers, separated by commas, semicolons, tabs or spaces. A header, comments (`#`, `%`), empty
 * lines and a separator at the end of a line are skipped. One row or one column is a vector; `# shape: 2, 3, 4` before the
 * numbers says what else they are, in C order.
 *
 * @param path what to call the file in an error
 * @throws CaseError naming file, line and column, what was found and what is allowed
 */
export function parseCsvArray(bytes: Uint8Array, path: string): TextArray {
  const file = shown(path);
  const lines = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  const numbers: number[] = [];
  const lineOfRow: number[] = [];
  let columns = 0;
  let separator: ReturnType<typeof separatorOf> | undefined;
  let isFirst = true;
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#') || text.startsWith('%')) continue;
    separator ??= separatorOf(text);
    const { between, decimalComma } = separator;
    const fields = text.split(between);
    if (fields.length > 1 && fields.at(-1) === '') fields.pop();
    const values = fields.map((field) => numberOf(field, decimalComma));
    const isHeader =
      isFirst &&
      fields.every(
        (field, k) => Number.isNaN(values[k]) && /^"?[a-z_]/i.test(field) && !/^[+-]?(nan|inf)/i.test(field),
      );
    isFirst = false;
    if (isHeader) {
      // Its words may have spaces between them, where numbers have something else.
      separator = undefined;
      continue;
    }
    const wrong = values.findIndex((value) => Number.isNaN(value));
    if (wrong >= 0) {
      throw new CaseError(
        `${file}: line ${at + 1}, column ${wrong + 1}: found ${quote(fields[wrong])}, allowed: finite numbers`,
      );
    }
    if (lineOfRow.length > 0 && values.length !== columns) {
      throw new CaseError(
        `${file}: line ${at + 1}: found ${values.length} columns, allowed: ${columns}, as in line ${lineOfRow[0]}`,
      );
    }
    columns = values.length;
    for (const value of values) numbers.push(value);
    lineOfRow.push(at + 1);
  }
  const rows = lineOfRow.length;
  const shape =
    declaredShape(lines, numbers.length, file) ?? (rows > 1 && columns > 1 ? [rows, columns] : [numbers.length]);
  return {
    shape,
    type: 'f8',
    data: Float64Array.from(numbers),
    placeOf: (index) => `line ${lineOfRow[Math.floor(index / columns)]}, column ${(index % columns) + 1}`,
  };
}

/** @returns an array as `parseCsvArray` reads it, to the last bit: a vector a number a line, else a line a row */
export function formatCsvArray(shape: readonly number[], data: Float64Array): string {
  const columns = shape.length > 1 ? (shape.at(-1) ?? 1) : 1;
  const isPlain = shape.length === 1 || (shape.length === 2 && shape.every((extent) => extent > 1));
  const rows = Array.from({ length: data.length / Math.max(1, columns) }, (_, row) =>
    data.subarray(row * columns, (row + 1) * columns).join(','),
  );
  return [...(isPlain ? [] : [`# shape: ${shape.join(', ')}`]), ...rows, ''].join('\n');
}
