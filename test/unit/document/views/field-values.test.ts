import { describe, expect, test } from 'vitest';
import type { BasinInfo } from '../../../../engine/index.ts';
import {
  cellsOfField,
  dryDepth,
  edgeIndex,
  fieldValue,
  liftValues,
  planesOfField,
  sampleField,
} from '../../../../app/document/views/field-values.ts';
import type { FieldId } from '../../../../app/fields/fields.ts';
import type { FieldPlanes } from '../../../../app/document/views/field-values.ts';

const [nx, ny] = [6, 5];
const basin: BasinInfo = {
  nx,
  ny,
  dx: 10,
  dy: 20,
  periodicX: false,
  periodicY: false,
  bed: new Float32Array(nx * ny).fill(-4),
  gravity: 9.81,
  coriolis: 0,
};
const dry = dryDepth(basin.bed);

function plane(value: (i: number, j: number) => number): Float32Array {
  return Float32Array.from({ length: nx * ny }, (_, cell) => value(cell % nx, Math.floor(cell / nx)));
}

/** Rotation as a whole with angular speed ω: u = −ω·y, v = ω·x; its vorticity is 2ω everywhere. */
const omega = 0.001;
const planes: FieldPlanes = {
  eta: plane((i) => 0.1 * i),
  hu: plane((i, j) => (4 + 0.1 * i) * -omega * 20 * j),
  hv: plane((i) => (4 + 0.1 * i) * omega * 10 * i),
  truthEta: plane(() => 0.25),
  forecastEta: plane((i) => 0.05 * i),
  spread: plane(() => 0.5),
  shown: undefined,
  local: undefined,
};

// Planes are float32: 2⁻²⁴ relative, and differences of numbers below 5.
const digits = 6;

function at(field: FieldId): number {
  return fieldValue(field, planes, basin, 3, 2, dry);
}

describe('fields at a cell', () => {
  test('are what their formulas say', () => {
    expect(at('surface')).toBeCloseTo(0.3, digits);
    expect(at('depth')).toBeCloseTo(4.3, digits);
    expect(at('speed')).toBeCloseTo(Math.hypot(omega * 40, omega * 30), digits);
    expect(at('error')).toBeCloseTo(0.05, digits);
    expect(at('spread')).toBeCloseTo(0.5, digits);
    expect(at('increment')).toBeCloseTo(0.15, digits);
  });

  test('the vorticity of a rigid rotation is 2ω, also at edges and corners', () => {
    for (const [i, j] of [
      [3, 2],
      [0, 0],
      [nx - 1, ny - 1],
      [0, 3],
    ]) {
      expect(fieldValue('vorticity', planes, basin, i, j, dry)).toBeCloseTo(2 * omega, digits);
    }
  });

  test('what is not known is not a number', () => {
    const unknown: FieldPlanes = { ...planes, hu: undefined, spread: undefined };
    expect(fieldValue('speed', unknown, basin, 1, 1, dry)).toBeNaN();
    expect(fieldValue('vorticity', unknown, basin, 1, 1, dry)).toBeNaN();
    expect(fieldValue('spread', unknown, basin, 1, 1, dry)).toBeNaN();
  });

  test('dry land has no depth and no speed', () => {
    const land = { ...basin, bed: new Float32Array(nx * ny).fill(2) };
    expect(fieldValue('depth', planes, land, 1, 1, dry)).toBe(0);
    expect(fieldValue('speed', planes, land, 1, 1, dry)).toBe(0);
    expect(sampleField('surface', planes, land, dry)).toHaveLength(0);
  });
});

test('differences lift their surface by themselves', () => {
  const lift = (field: FieldId, known = planes): number => liftValues(field, known, basin, dry)(3, 2);
  expect(lift('speed')).toBeCloseTo(0.3, digits);
  expect(lift('error')).toBeCloseTo(0.05, digits);
  expect(lift('increment')).toBeCloseTo(0.15, digits);
  expect(lift('spread')).toBeCloseTo(0.5, digits);
  expect(lift('spread', { ...planes, spread: undefined })).toBe(0);
});

test('a field needs the planes and the cells that its formula reads, and η to be drawn from', () => {
  expect(planesOfField('surface')).toEqual(['eta']);
  expect(new Set(planesOfField('vorticity'))).toEqual(new Set(['eta', 'hu', 'hv']));
  expect(new Set(planesOfField('error'))).toEqual(new Set(['eta', 'truthEta']));
  expect(new Set(planesOfField('spread'))).toEqual(new Set(['eta', 'spread']));
  expect(cellsOfField('depth', basin, 3, 2)).toEqual([2 * nx + 3]);
  const cell = 2 * nx + 3;
  expect(new Set(cellsOfField('vorticity', basin, 3, 2))).toEqual(
    new Set([cell, cell - 1, cell + 1, cell - nx, cell + nx]),
  );
  // At a corner the edge's own cells represent those that are not there.
  expect(new Set(cellsOfField('vorticity', basin, 0, 0))).toEqual(new Set([0, 1, nx]));
});

test('edges wrap where the basin is periodic, and stay where not', () => {
  expect([edgeIndex(-1, 6, true), edgeIndex(6, 6, true), edgeIndex(-1, 6, false), edgeIndex(6, 6, false)]).toEqual([
    5, 0, 0, 5,
  ]);
});

test('a sample takes about as many cells as it may', () => {
  expect(sampleField('surface', planes, basin, dry)).toHaveLength(nx * ny);
  expect(sampleField('surface', planes, basin, dry, 8).length).toBeLessThanOrEqual(nx * ny);
});
