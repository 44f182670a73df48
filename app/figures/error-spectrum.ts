/** Spectra of a snapshot: of each method's error in surface height, and of the truth itself for comparison. */
import type { BasinInfo, Snapshot } from '../../engine/index.ts';
import type { Numbers, PlaneRequest } from '../document/values/plane-reader.ts';
import { blocksOf, coarseField, coarseSpectrum, type CoarseField, type Spectrum } from './spectrum.ts';

export interface RunSpectra {
  readonly cycle: number;
  readonly truth: Spectrum;
  /** Spectrum of η − η of the truth, by method label; without methods that have diverged, whose water is what it was last. */
  readonly errors: ReadonlyMap<string, Spectrum>;
  /** Spectrum of the analysis minus the forecast, if both are known and differ. */
  readonly increments?: ReadonlyMap<string, Spectrum>;
}

/** @returns the methods of a snapshot that had not diverged by then */
function goingOn({ methods }: Snapshot): Snapshot['methods'] {
  return methods.filter(({ divergedAt }) => divergedAt === undefined);
}

/**
 * @returns what spectra are made of: the surface height of the truth, and how far that of each method that continues is from it, both
 * averaged over blocks
 */
export function spectrumRequests(snapshot: Snapshot, basin: BasinInfo): readonly PlaneRequest[] {
  const blocks = blocksOf(basin);
  const truth = snapshot.truth.eta;
  return [
    { plane: truth, means: { blocks } },
    ...goingOn(snapshot).map(({ analysis }) => ({ plane: analysis.eta, means: { blocks, minus: truth } })),
  ];
}

/** What spectra are made of: the truth and the error of each method, by its label, averaged over blocks. */
export interface CoarseErrors {
  readonly cycle: number;
  readonly truth: CoarseField;
  readonly errors: ReadonlyMap<string, CoarseField>;
}

/** @param numbers what was asked for by `spectrumRequests` @returns undefined where some of it is missing */
export function coarseErrors(snapshot: Snapshot, basin: BasinInfo, numbers: Numbers): CoarseErrors | undefined {
  const truth = numbers(snapshot.truth.eta);
  if (truth === undefined) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = basin;
  const grid = { nx, ny, dx, dy, periodicX, periodicY };
  const errors = new Map<string, CoarseField>();
  for (const { method, analysis } of goingOn(snapshot)) {
    const error = numbers(analysis.eta);
    if (error === undefined) return undefined;
    errors.set(method, coarseField(grid, error));
  }
  return { cycle: snapshot.cycle, truth: coarseField(grid, truth), errors };
}

/** Takes no more than its argument: it is done beside the page as well. */
export function spectraOf({ cycle, truth, errors }: CoarseErrors): RunSpectra {
  return {
    cycle,
    truth: coarseSpectrum(truth),
    errors: new Map([...errors].map(([method, error]) => [method, coarseSpectrum(error)])),
  };
}
