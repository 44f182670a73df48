/** The figures of [magic-filter], GFLOP/s: each is a row of one of its tables. */
import type { PublishedFigure } from '../../benchmarks/index.ts';
import type { QuotedTable } from '../paper.ts';
import { SIMPLE, type PassKernel } from './pass/index.ts';

const SOURCE = 'Videau, Marangozova-Martin, Genovese, Deutsch, RR-LIG-032 (2013) [magic-filter]';
const COPY = '; a memory copy would allow about 170 GFLOP/s on its GPUs';

/** A row of a published table: how the passes are made, and what it reached. */
export interface PublishedRow {
  readonly table: string;
  /** How the row is called there. */
  readonly name: string;
  readonly axes: 1 | 3;
  readonly direction: 'forward' | 'inverse';
  readonly transposed: boolean;
  readonly kernel: PassKernel;
  readonly published: readonly (readonly [value: number, hardware: string])[];
}

const UNROLLED: PassKernel = { form: 'scalar', columns: 1, lines: 8 };
const TABLE_1 = 'Table I: three axes of 128 × 126 × 130 on one core';
const ONE_CORE = 'one CPU core';

function ofTable1(name: string, kernel: PassKernel, transposed: boolean, value: number): PublishedRow {
  const row = { table: TABLE_1, axes: 3, direction: 'forward' } as const;
  return { ...row, name, transposed, kernel, published: [[value, ONE_CORE]] };
}

function ofPattern(transposed: boolean) {
  return ([columns, lines, value]: readonly [columns: number, lines: number, value: number]): PublishedRow => ({
    table: `Table ${transposed ? 'III' : 'II'}: SSE on one core, 32 columns × 5040, ${transposed ? 'transposed' : 'not transposed'}`,
    name: `${columns} × ${lines}`,
    axes: 1,
    direction: 'forward',
    transposed,
    kernel: { form: 'vector', columns, lines },
    published: [[value, ONE_CORE]],
  });
}

/** On one core. Tables II and III are patterns of columns × lines. */
export const ON_ONE_CORE: readonly PublishedRow[] = [
  ofTable1('simple', SIMPLE, false, 0.357),
  ofTable1('simple, transposed', SIMPLE, true, 0.361),
  ofTable1('unrolled by 8', UNROLLED, false, 2.23),
  ofTable1('unrolled by 8, transposed', UNROLLED, true, 2.96),
  ofTable1('SSE, transposed', { form: 'vector', columns: 2, lines: 4 }, true, 6.52),
  ...(
    [
      [1, 2, 7.45],
      [1, 4, 8.45],
      [2, 2, 8.03],
      [1, 6, 8.57],
      [1, 8, 8.49],
      [2, 4, 8.43],
      [4, 2, 8.49],
      [1, 10, 8.43],
      [1, 12, 7.77],
    ] as const
  ).map(ofPattern(false)),
  ...(
    [
      [2, 4, 6.32],
      [4, 2, 7.14],
    ] as const
  ).map(ofPattern(true)),
];

/** @returns the quickest pass along one axis on one core, GFLOP/s */
export function quickestPass(transposed: boolean): number {
  const rows = ON_ONE_CORE.filter((row) => row.axes === 1 && row.transposed === transposed);
  return Math.max(...rows.flatMap(({ published }) => published.map(([value]) => value)));
}

/** The magic filter has an output an invocation, from workgroup memory; the block has two. */
const ONE_OUTPUT: PassKernel = { form: 'scalar', columns: 1, lines: 1 };
const TWO_OUTPUTS: PassKernel = { form: 'scalar', columns: 1, lines: 2 };

function onCards(
  name: string,
  axes: 1 | 3,
  kernel: PassKernel,
  [nvidia, amd]: readonly [number, number],
  direction: PublishedRow['direction'] = 'forward',
): PublishedRow {
  const table = `GPU: ${axes === 1 ? 'one axis' : 'three axes'} of 124 × 132 × 130`;
  const how = name === 'block' ? ', in blocks' : '';
  const published = [
    [amd, `HD 6970${how}`],
    [nvidia, `C2070${how}`],
  ] as const;
  return { table, name, axes, direction, transposed: true, kernel, published };
}

export const ON_GPU: readonly PublishedRow[] = [
  onCards('magic filter', 1, ONE_OUTPUT, [93, 105]),
  onCards('block', 1, TWO_OUTPUTS, [108, 121]),
  onCards('inverse', 1, ONE_OUTPUT, [92, 105], 'inverse'),
  onCards('magic filter', 3, ONE_OUTPUT, [91, 101]),
  onCards('block', 3, TWO_OUTPUTS, [105, 118]),
  onCards('inverse', 3, ONE_OUTPUT, [92, 100], 'inverse'),
];

/**
 * @param flops operations of one run
 * @returns the figures of a row, each compared with a time of ours
 */
export function figuresOf({ published, axes }: PublishedRow, flops: number): readonly PublishedFigure[] {
  return published.map(([value, hardware]) => ({
    value,
    hardware,
    unit: 'GFLOP/s',
    largerIsBetter: true,
    source: hardware === ONE_CORE ? SOURCE : `${SOURCE}${COPY}`,
    includes: `float64, ${axes === 1 ? 'one axis' : 'three axes'}`,
    measured: (milliseconds: number) => flops / milliseconds / 1e6,
  }));
}

/** What it counted on the core of Table I, and its application: the program BigDFT with 52 k-points on processors and graphics cards. */
export const QUOTED: readonly QuotedTable[] = [
  {
    title: 'Table I: counters, 10⁶ of each',
    columns: ['cycles', 'instructions', 'instructions a cycle', 'L1 accesses', 'L1 misses', 'L2 misses'],
    rows: [
      ['simple', 1500, 2300, 1.53, 120, 13.4, 4.68],
      ['simple, transposed', 1480, 2470, 1.67, 211, 7.54, 1.34],
      ['unrolled by 8', 240, 401, 1.67, 149, 4.72, 2.06],
      ['unrolled by 8, transposed', 181, 386, 2.13, 137, 2.48, 1.3],
      ['SSE, transposed', 82.2, 175, 2.12, 45.4, 3.26, 1.33],
    ],
  },
  {
    title: 'Table V: BigDFT, 52 k-points',
    columns: ['seconds', 'times as fast'],
    rows: [
      ['1 process', 6020, 1],
      ['4 processes', 1660, 3.6],
      ['1 process with NVIDIA', 300, 20],
      ['4 processes with NVIDIA', 160, 38],
      ['1 process with AMD', 347, 17],
      ['4 processes with AMD', 197, 30],
      ['4 processes with NVIDIA and 4 with AMD', 109, 55],
    ],
  },
];
