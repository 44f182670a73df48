/** A spectrum as a line of a chart, and the range of its axis. */
import type { Point } from '../plot/decimate.ts';
import type { Spectrum } from './spectrum.ts';

/** Rounding of float32 fields: what is smaller is noise of the numbers, not of the method. */
const NOISE = 1e-14;
/** Decades of power below the largest that are drawn: what is smaller is of no consequence. */
const DECADES = 6;

/** @returns power by wavenumber, with gaps where it is noise */
export function powerLines({ points, meanSquare, binWidth }: Spectrum): Point[] {
  return points.map(({ wavenumber, density }) => ({
    x: wavenumber,
    y: density * binWidth > NOISE * meanSquare ? density : Number.NaN,
  }));
}

/** @returns whole decades that end above the largest power; undefined of still water */
export function powerRange(spectra: readonly Spectrum[]): readonly [number, number] | undefined {
  const most = Math.max(...spectra.flatMap(({ points }) => points.map(({ density }) => density)));
  if (!(most > 0)) return undefined;
  const top = Math.ceil(Math.log10(most));
  return [10 ** (top - DECADES), 10 ** top];
}
