import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceBackend, parseNpy, runCase } from '../../../engine/index.ts';
import { formatCsvArray } from '../../../engine/files/array-files.ts';

const FOLDER = new URL('../../oracle/gain-covariance/16x16-L12-m20-a/', import.meta.url).pathname;
const stored = (name: string) => parseNpy(readFileSync(join(FOLDER, `${name}.npy`)), name);
const [data, indices, indptr] = ['hData', 'hIndices', 'hIndptr'].map((name) => stored(name).data);
const rows = Float64Array.from(indices, (_, entry) => indptr.findIndex((end) => end > entry) - 1);
const text = (name: string, array = stored(name)) => formatCsvArray(array.shape, array.data);
const shuffled = [...indices.keys()].sort((a, b) => ((7 * a) % 13) - ((7 * b) % 13));

type Files = Readonly<Record<string, string>>;

function run(
  inputs: readonly string[],
  files: Files,
  more: object = {},
  outputs: object = { pht: 'expected-pht.npy' },
) {
  const described = {
    operator: 'gain-covariance',
    parameters: { shape: [16, 16], ...more },
    inputs: Object.fromEntries(
      ['anomalies', 'taperRow', ...inputs].map((name) => [name, `${name}${name in files ? '.csv' : '.npy'}`]),
    ),
    outputs,
    tolerance: { float64: 1e-10, float32: 1e-4 },
  };
  return runCase(createReferenceBackend(), 'folder', async (name) => {
    if (name === 'case.json') return new TextEncoder().encode(JSON.stringify(described));
    const csv = files[name.replace(/\.csv$/, '')];
    return csv === undefined ? readFileSync(join(FOLDER, name)) : new TextEncoder().encode(csv);
  });
}

const csr = ['hData', 'hIndices', 'hIndptr'] as const;
const everyInput = Object.fromEntries(['anomalies', 'taperRow', ...csr].map((name) => [name, text(name)]));
/** Each entry in two halves, the last ones first. */
const halves = shuffled.flatMap((entry) => [entry, entry]);
const column = (values: readonly number[]): string => `${values.join('\n')}\n`;

/** The taper of a row of cells, as text. */
function taperLine(y: number): string {
  return stored('taperRow')
    .data.slice(16 * y, 16 * y + 16)
    .join(' ');
}

describe('P_HT', () => {
  it('is the same from CSV as from .npy', async () => {
    const fromNpy = await run(csr, {});
    const fromCsv = await run(csr, everyInput);
    expect(fromNpy.passed).toBe(true);
    expect(fromCsv.outputs).toEqual(fromNpy.outputs);
    const grid = Array.from({ length: 16 }, (_, y) => taperLine(y)).join('\n');
    expect((await run(csr, { taperRow: grid })).outputs).toEqual(fromNpy.outputs);
  });

  it('is the same from coordinates in any order, of which those of one place are added up', async () => {
    const coordinates = {
      hData: column(halves.map((entry) => data[entry] / 2)),
      hRow: column(halves.map((entry) => rows[entry])),
      hCol: column(halves.map((entry) => indices[entry])),
    };
    expect((await run(['hData', 'hRow', 'hCol'], coordinates)).passed).toBe(true);
    const table = shuffled.map((entry) => `${rows[entry]};${indices[entry]};${data[entry]}`).join('\n');
    const whole = await run(['hCoo'], { hCoo: `row;column;value\n${table}` });
    expect(whole.passed).toBe(true);
    const padded = await run(['hCoo'], { hCoo: table }, { observations: 22 }, {});
    expect(padded.outputs['pht'].shape).toEqual([256, 22]);
    expect(padded.outputs['pht'].data.filter((_, at) => at % 22 >= 20).every((value) => value === 0)).toBe(true);
  });

  it('is given in compressed rows as well', async () => {
    const { outputs } = await run(csr, {}, {}, {});
    const sparse = (await run(csr, {}, { format: 'csr' }, {})).outputs;
    expect(Object.keys(sparse)).toEqual(['phtData', 'phtIndices', 'phtIndptr']);
    const dense = new Float64Array(256 * 20);
    const { phtData, phtIndices, phtIndptr } = sparse;
    for (let row = 0; row < 256; row++) {
      for (let entry = phtIndptr.data[row]; entry < phtIndptr.data[row + 1]; entry++) {
        dense[20 * row + phtIndices.data[entry]] = phtData.data[entry];
      }
    }
    expect(dense).toEqual(outputs['pht'].data);
    expect(phtData.data.length).toBeLessThan(dense.length);
    await expect(run(csr, {}, { format: 'csr' })).rejects.toThrow(
      'expected-pht.npy: found outputs.pht, allowed with these parameters: phtData, phtIndices, phtIndptr',
    );
  });
});

it.each([
  [
    ['hData', 'hIndices'],
    {},
    {},
    'inputs: found hData, hIndices of H, allowed: hData, hIndices, hIndptr; or hData, hRow, hCol; or hCoo',
  ],
  [[], {}, {}, 'inputs: found none of H'],
  [[...csr, 'hCoo'], { hCoo: '0,0,1' }, {}, 'found hData, hIndices, hIndptr, hCoo of H'],
  [['hCoo'], { hCoo: '0,0\n1,1\n' }, {}, 'hCoo.csv: found the shape 2 × 2, allowed: row, column and value'],
  [
    ['hCoo'],
    { hCoo: 'r,c,v\n0,0,1\n0,256,1\n' },
    {},
    'hCoo.csv: line 3, column 2 is 256, allowed: whole numbers from 0 to 255',
  ],
  [['hCoo'], { hCoo: '-1,0,1\n' }, {}, 'hCoo.csv: line 1, column 1 is -1, allowed: whole numbers from 0'],
  [
    ['hCoo'],
    { hCoo: '2000000000,0,1\n' },
    {},
    'line 1, column 1 is 2000000000, allowed: whole numbers from 0 to 16777215',
  ],
  [['hCoo'], { hCoo: '0.5,0,1\n' }, {}, 'line 1, column 1 is 0.5, allowed: whole numbers'],
  [['hCoo'], { hCoo: '4,0,1\n' }, { observations: 4 }, 'line 1, column 1 is 4, allowed: whole numbers from 0 to 3'],
  [csr, {}, { observations: 4 }, 'hIndptr.npy: found the shape (21,), allowed: (5,)'],
  [csr, { hIndices: '0\n1\n' }, {}, 'hIndices.csv: found the shape (2,)'],
  [csr, { anomalies: '1,2\n3\n' }, {}, 'anomalies.csv: line 2: found 1 columns, allowed: 2'],
] as const)('refuses %j with %j and %j', async (inputs, files, more, message) => {
  await expect(run(inputs, files, more)).rejects.toThrow(message);
});
