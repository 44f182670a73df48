/** What octaves of the wavelength draw: points with gaps, units of lengths, and ends of axes. */
import { describe, expect, it } from 'vitest';
import { octavePoints, octaveRange, wavelengthsOf } from '../../../app/figures/octaves.ts';

const grid = { nx: 32, ny: 32, dx: 10, dy: 10, periodicX: true, periodicY: true };

/** One curve, of a power in each octave. */
const line = (...powers: number[]) => [powers.map((y, x) => ({ x, y }))];

describe('wavelengths', () => {
  it('are of the middles of octaves, in metres or kilometres as the basin is, and counted on a ring', () => {
    const small = wavelengthsOf(grid);
    expect(small.unit).toBe('m');
    expect(small.lengths[0]).toBeCloseTo(320 / Math.SQRT2, 10);
    expect(small.lengths[1]).toBeCloseTo(160 / Math.SQRT2, 10);
    const large = wavelengthsOf({ ...grid, dx: 5000, dy: 5000 });
    expect(large.unit).toBe('km');
    expect(large.lengths[0]).toBeCloseTo(160 / Math.SQRT2, 10);
    expect(wavelengthsOf({ ...grid, ny: 1, dx: 1, dy: 1, isRing: true }).unit).toBe('');
    // On the axis of a run whose basin is larger.
    expect(wavelengthsOf(grid, 'km').lengths[0]).toBeCloseTo(0.32 / Math.SQRT2, 12);
  });

  it('ascend along the line, with gaps if there is no power; without any there is no line', () => {
    const wavelengths = { lengths: [8, 4, 2], unit: 'm' };
    expect(octavePoints(wavelengths, [3, 0, 1])).toEqual([
      { x: 2, y: 1 },
      { x: 4, y: Number.NaN },
      { x: 8, y: 3 },
    ]);
    expect(octavePoints(wavelengths, [0, 0, 0])).toEqual([]);
  });
});

describe('the axis', () => {
  it('of powers are whole decades, at most six below the largest', () => {
    const decadesOf = (...powers: number[]) => octaveRange(line(...powers))?.map((end) => Math.log10(end));
    expect(decadesOf(3e-3, 2e-5)?.map(Math.round)).toEqual([-5, -2]);
    expect(decadesOf(3e-3, 2e-12)?.map(Math.round)).toEqual([-8, -2]);
    expect(octaveRange(line(Number.NaN, 0))).toBeUndefined();
  });
});
