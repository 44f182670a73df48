/** What every kind of bathymetry says of itself before there is a grid, against its elevations. */
import { describe, expect, it } from 'vitest';
import {
  BATHYMETRIES,
  bathymetryDefinition,
  bathymetryField,
  bedElevation,
  greatestDepth,
} from '../../../engine/bathymetry/index.ts';
import { NO_FILES } from '../../../engine/index.ts';

/** With cells at the middle and at the ends of both axes, where the extremes are. */
const grid = { nx: 41, ny: 21, dx: 1, dy: 2, periodicX: false, periodicY: false };
const stored = Float64Array.from({ length: 41 * 21 }, (_, i) => Math.sin(i));
const files = { ...NO_FILES, array: () => ({ type: 'f8', shape: [21, 41], data: stored }) };

const samples = [
  { kind: 'flat', depth: 3 },
  { kind: 'basin', depth: 4, edgeDepth: -1 },
  // Narrow enough to be nothing at the sides.
  { kind: 'bump', depth: 2, height: 5, width: 1 },
  { kind: 'bump', depth: 2, height: -1, x: 0, y: 1 },
  { kind: 'slope', depth: 2, endDepth: 7 },
  { kind: 'slope', axis: 'y', depth: 2, endDepth: -1 },
  { kind: 'harbour' },
  { kind: 'file', file: 'bed.npy' },
  { kind: 'netcdf', file: 'bed.nc', variable: 'bed' },
].map((bathymetry) => bathymetryField.parse(bathymetry));

it('each kind is among the samples', () => {
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(BATHYMETRIES.map(({ kind }) => kind)));
});

describe.each(samples.map((bathymetry) => [JSON.stringify(bathymetry), bathymetry] as const))('%s', (_, bathymetry) => {
  const definition = bathymetryDefinition(bathymetry.kind);
  const bed = bedElevation(bathymetry, grid, files);

  it('has an elevation in every cell', () => {
    expect(bed).toHaveLength(grid.nx * grid.ny);
    expect(bed.every(Number.isFinite)).toBe(true);
  });

  it('is flat where it says so, and nowhere else', () => {
    expect(bed.every((elevation) => elevation === bed[0])).toBe(definition.isFlat ?? false);
  });

  it('has a depth and a greatest depth, unless a file says', () => {
    const depths = [definition.depth(bathymetry), definition.greatestDepth(bathymetry)];
    const isStated = definition.reads === undefined;
    expect(depths.map((depth) => depth !== undefined)).toEqual([isStated, isStated]);
  });
});

const stated = samples.flatMap((bathymetry) => {
  const deepest = greatestDepth(bathymetry);
  return deepest === undefined ? [] : [[JSON.stringify(bathymetry), bathymetry, deepest] as const];
});

it.each(stated)('%s is as deep as it said', (_, bathymetry, deepest) => {
  const bed = bedElevation(bathymetry, grid, files);
  // Sums and products of a few numbers up to 24 m: eps × 24 × 4.
  expect(-Math.min(...bed)).toBeClose(deepest, { absolute: 3e-14 });
});
