import { describe, expect, it } from 'vitest';
import { radialSpectrum } from '../../../app/figures/spectrum.ts';
import type { GridField } from '../../../app/figures/spectrum.ts';

function field(
  nx: number,
  ny: number,
  value: (i: number, j: number) => number,
  more: Partial<GridField> = {},
): GridField {
  const values = Float64Array.from({ length: nx * ny }, (_, cell) => value(cell % nx, Math.floor(cell / nx)));
  return { values, nx, ny, dx: 1, dy: 1, periodicX: false, periodicY: false, ...more };
}

const peakOf = (points: readonly { readonly wavenumber: number; readonly density: number }[]) =>
  points.reduce((best, point) => (point.density > best.density ? point : best));

describe('radialSpectrum', () => {
  it('finds a wave between walls at its wavenumber with its variance', () => {
    // Six half waves over 64 cells of 2 m.
    const wave = field(64, 64, (i) => 0.3 * Math.cos((Math.PI * 6 * (i + 0.5)) / 64), { dx: 2, dy: 2 });
    const { points, binWidth, meanSquare } = radialSpectrum(wave);
    const peak = peakOf(points);
    expect(peak.wavenumber).toBeCloseTo(6 / (2 * 64 * 2), 12);
    expect(peak.density * binWidth).toBeCloseTo(0.09 / 2, 12);
    expect(meanSquare).toBeCloseTo(0.09 / 2, 12);
    // Nothing anywhere else but rounding: 64² additions of size 1e-2.
    const others = points.reduce((sum, { density }) => sum + density, 0) - peak.density;
    expect(Math.abs(others * binWidth)).toBeLessThan(1e-20);
  });

  it('finds a periodic wave whatever its phase and direction', () => {
    const [kx, ky, phase] = [3, 4, 0.7];
    const wave = field(48, 48, (i, j) => Math.sin((2 * Math.PI * (kx * i + ky * j)) / 48 + phase), {
      periodicX: true,
      periodicY: true,
    });
    const { points, binWidth } = radialSpectrum(wave);
    const peak = peakOf(points);
    expect(peak.wavenumber).toBeCloseTo(5 / 48, 12);
    expect(peak.density * binWidth).toBeCloseTo(0.5, 12);
  });

  it.each([
    [17, 32, true, false],
    [32, 17, false, true],
    [20, 20, true, true],
  ])('keeps the mean square (Parseval), %d × %d cells', (nx, ny, periodicX, periodicY) => {
    const noise = field(nx, ny, (i, j) => Math.sin(12.9898 * i + 78.233 * j) + 0.2, { periodicX, periodicY });
    const values = Array.from(noise.values);
    const meanSquare = values.reduce((sum, value) => sum + value * value, 0) / values.length;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spectrum = radialSpectrum(noise);
    const variance = spectrum.points.reduce((sum, { density }) => sum + density * spectrum.binWidth, 0);
    expect(spectrum.meanSquare).toBeCloseTo(meanSquare, 11);
    expect(variance).toBeCloseTo(meanSquare - mean * mean, 11);
  });

  it('averages a fine grid over blocks and still finds a long wave', () => {
    const wave = field(300, 200, (i) => Math.cos((Math.PI * 3 * (i + 0.5)) / 300));
    const { points, block } = radialSpectrum(wave);
    expect(block).toEqual([3, 2]);
    const peak = peakOf(points);
    expect(peak.wavenumber).toBeCloseTo(3 / 600, 3);
  });
});
