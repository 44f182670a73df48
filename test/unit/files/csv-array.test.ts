import { array, assert, constantFrom, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsvArray, parseCsvArray } from '../../../engine/files/array-files.ts';

const parse = (text: string) => parseCsvArray(new TextEncoder().encode(text), 'folder/a.csv');

describe('an array in CSV', () => {
  it.each([
    ['commas', '1,2\n3,4\n'],
    ['commas and spaces, CRLF', ' 1, 2 \r\n3 ,4'],
    ['spaces', '1 2\n  3   4\n'],
    ['tabs', '1\t2\n3\t4\n'],
    ['semicolons', '1;2\n3;4\n'],
    ['semicolons and decimal commas', '1,0;2,0\n3,0;4,0\n'],
    ['a header', 'left,right\n1,2\n3,4\n'],
    ['a header with spaces', 'the first column\n1 2\n3 4\n'],
    ['a byte-order mark, comments and empty lines', '\uFEFF# a comment\n\n1,2\n\n% another\n3,4\n\n'],
    ['a separator at the end of lines', '1,2,\n3,4,\n'],
    ['exponents and signs', '1e0,+2.\n.3E+1,4D0\n'],
    ['quotes', '"1","2"\n"3","4"\n'],
  ])('is read with %s', (_, text) => {
    expect(parse(text)).toMatchObject({ shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
  });

  it.each([
    ['1\n2\n3\n', [3]],
    ['1,2,3\n', [3]],
    ['value\n7\n', [1]],
    ['', [0]],
    ['# shape: 1, 3\n1,2,3\n', [1, 3]],
    ['# the shape of the basin\n# shape of H\n1\n2\n', [2]],
    ['0,5;\n1,5;\n', [2]],
    ['# shape (2, 1, 2)\n1,2\n3,4\n', [2, 1, 2]],
  ])('%j has the shape %j', (text, shape) => {
    expect(parse(text).shape).toEqual(shape);
  });

  it.each([
    ['1,2\n3\n', 'folder/a.csv: line 2: found 1 columns, allowed: 2, as in line 1'],
    ['a,b\n1,x\n', 'folder/a.csv: line 2, column 2: found "x", allowed: finite numbers'],
    ['1,2\nleft,right\n', 'folder/a.csv: line 2, column 1: found "left"'],
    ['1,,2\n', 'line 1, column 2: found ""'],
    ['nan,1\n', 'line 1, column 1: found "nan"'],
    ['inf\n', 'line 1, column 1: found "inf"'],
    ['1e999\n', 'line 1, column 1: found "1e999"'],
    ['0x10\n', 'line 1, column 1: found "0x10"'],
    ['# shape: 3, x\n1\n2\n', 'line 1: found "# shape: 3, x", allowed: extents, as in # shape: 2, 3, 4'],
    ['# shape: 2, 2\n1,2,3\n', 'line 1: found the shape 2 × 2, allowed: that of 3 numbers'],
  ])('%j is refused, with its place', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('says where an element is', () => {
    expect(parse('a,b\n1,2\n\n3,4\n').placeOf(2)).toBe('line 4, column 1');
  });

  it('returns the same bits when it is read back', () => {
    const shapes = constantFrom([12], [3, 4], [1, 12], [12, 1], [2, 3, 2]);
    const numbers = array(double({ noNaN: true, noDefaultInfinity: true }), { minLength: 12, maxLength: 12 });
    assert(
      property(shapes, numbers, (shape, values) => {
        const data = Float64Array.from(values, (value) => value + 0);
        const read = parse(formatCsvArray(shape, data));
        expect(read.shape).toEqual(shape);
        expect(read.data).toEqual(data.map((value) => (value === 0 ? 0 : value)));
      }),
    );
  });
});
