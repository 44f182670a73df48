import { describe, expect, it } from 'vitest';
import type { BasinInfo } from '../../../engine/index.ts';
import { fieldValue, planesOfField } from '../../../app/document/views/field-values.ts';

const DRY = 0.01;

/** One cell of water of a depth over a bed at −3 m, with a current, m/s. */
function froudeNumber(depth: number, u: number, v: number, gravity = 9.81): number {
  const basin: BasinInfo = {
    nx: 1,
    ny: 1,
    dx: 5,
    dy: 5,
    periodicX: false,
    periodicY: false,
    bed: Float32Array.of(-3),
    gravity,
    coriolis: 0,
  };
  const planes = {
    eta: [depth - 3],
    hu: [depth * u],
    hv: [depth * v],
    truthEta: undefined,
    forecastEta: undefined,
    spread: undefined,
    local: undefined,
    shown: undefined,
  };
  return fieldValue('froude-number', planes, basin, 0, 0, DRY);
}

describe('the Froude number', () => {
  it('is 1 where the current is as fast as long waves, whichever way it runs', () => {
    const c = Math.sqrt(9.81 * 2);
    for (const [u, v] of [
      [c, 0],
      [0, -c],
      [0.6 * c, 0.8 * c],
    ])
      expect(froudeNumber(2, u, v)).toBeCloseTo(1, 12);
  });

  it('grows with the current, and falls with the roots of depth and gravity', () => {
    expect(froudeNumber(2, 3, 0) / froudeNumber(2, 1, 0)).toBeCloseTo(3, 12);
    expect(froudeNumber(0.5, 1, 0) / froudeNumber(2, 1, 0)).toBeCloseTo(2, 12);
    expect(froudeNumber(2, 1, 0, 4) / froudeNumber(2, 1, 0, 16)).toBeCloseTo(2, 12);
  });

  it('is 0 on land, and just above the dry depth still a number of that depth', () => {
    expect(froudeNumber(0, 0, 0)).toBe(0);
    expect(froudeNumber(DRY / 2, 5, 0)).toBe(0);
    expect(froudeNumber(2 * DRY, 1, 0)).toBeCloseTo(1 / Math.sqrt(9.81 * 2 * DRY), 9);
  });

  it('needs the surface and both momenta', () => {
    expect(new Set(planesOfField('froude-number'))).toEqual(new Set(['eta', 'hu', 'hv']));
  });
});
