/**
 * Arrays as CSV: a line a row of numbers, separated by commas, semicolons, tabs or spaces. A header, comments (`#`, `%`), empty
 * lines and a separator at the end of a line are skipped. One row or one column is a vector; `# shape: 2, 3, 4` before the
 * numbers says what else they are, in C order.
 */
import { CaseError } from '../errors.ts';
import { quote, shown } from '../words.ts';
import type { NpyArray } from './npy.ts';

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
 * Reads an array of numbers.
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
