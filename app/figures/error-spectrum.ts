/** Spectra of a snapshot: of each method's error in surface height, and of the truth itself for comparison. */
import type { BasinInfo, Snapshot } from '../../engine/index.ts';
import { requestsFor } from '../document/values/plane-reader.ts';
import type { Numbers, PlaneRequest } from '../document/values/plane-reader.ts';
import { radialSpectrum } from './spectrum.ts';
import type { Spectrum } from './spectrum.ts';

export interface RunSpectra {
  readonly cycle: number;
  readonly truth: Spectrum;
  /** Spectrum of η − η of the truth, by method label; without methods that have diverged, whose water is what it was last. */
  readonly errors: ReadonlyMap<string, Spectrum>;
  /** Spectrum of the analysis minus the forecast, if both are known and differ. */
  readonly increments?: ReadonlyMap<string, Spectrum>;
}

/** Spectra are small and stay with their snapshot, so that scrubbing computes none twice. */
const known = new WeakMap<Snapshot, RunSpectra>();

/** @returns the spectra of a snapshot where they were computed before */
export function knownSpectra(snapshot: Snapshot): RunSpectra | undefined {
  return known.get(snapshot);
}

/** @returns the methods of a snapshot that had not diverged by then */
function goingOn({ methods }: Snapshot): Snapshot['methods'] {
  return methods.filter(({ divergedAt }) => divergedAt === undefined);
}

/** @returns the planes that the spectra are made of: surface height of the truth and of each method that continues */
export function spectrumRequests(snapshot: Snapshot): readonly PlaneRequest[] {
  return requestsFor([snapshot.truth.eta, ...goingOn(snapshot).map(({ analysis }) => analysis.eta)]);
}

/** @param numbers what was asked for by `spectrumRequests` @returns undefined where some of it is missing */
export function errorSpectra(snapshot: Snapshot, basin: BasinInfo, numbers: Numbers): RunSpectra | undefined {
  const before = known.get(snapshot);
  if (before !== undefined) return before;
  const truth = numbers(snapshot.truth.eta);
  if (truth === undefined) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = basin;
  const spectrumOf = (values: ArrayLike<number>): Spectrum =>
    radialSpectrum({ values, nx, ny, dx, dy, periodicX, periodicY });
  const errors = new Map<string, Spectrum>();
  for (const { method, analysis } of goingOn(snapshot)) {
    const eta = numbers(analysis.eta);
    if (eta === undefined) return undefined;
    const error = new Float32Array(nx * ny);
    for (let cell = 0; cell < error.length; cell++) error[cell] = eta[cell] - truth[cell];
    errors.set(method, spectrumOf(error));
  }
  const spectra = { cycle: snapshot.cycle, truth: spectrumOf(truth), errors };
  known.set(snapshot, spectra);
  return spectra;
}
