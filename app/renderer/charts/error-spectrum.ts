/** Spectra of a snapshot: of each method's error in surface height, and of the truth itself for comparison. */
import type { BasinInfo, Plane, Snapshot } from '../session/session.ts';
import { radialSpectrum } from './spectrum.ts';
import type { Spectrum } from './spectrum.ts';

export interface ErrorSpectra {
  readonly truth: Spectrum;
  /** Of η − η of the truth, by method label. */
  readonly methods: ReadonlyMap<string, Spectrum>;
}

function hostValues(plane: Plane): Float32Array | undefined {
  return plane.kind === 'host' ? plane.values : undefined;
}

const known = new WeakMap<Snapshot, ErrorSpectra>();

/** @returns undefined where the planes are in the GPU's memory */
export function errorSpectra(snapshot: Snapshot, basin: BasinInfo): ErrorSpectra | undefined {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const truth = hostValues(snapshot.truth.eta);
  if (truth === undefined) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = basin;
  const spectrumOf = (values: Float32Array): Spectrum =>
    radialSpectrum({ values, nx, ny, dx, dy, periodicX, periodicY });
  const methods = new Map<string, Spectrum>();
  for (const { method, analysis } of snapshot.methods) {
    const eta = hostValues(analysis.eta);
    if (eta === undefined) return undefined;
    methods.set(method, spectrumOf(eta.map((value, cell) => value - truth[cell])));
  }
  const spectra = { truth: spectrumOf(truth), methods };
  known.set(snapshot, spectra);
  return spectra;
}
