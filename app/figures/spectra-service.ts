/**
 * Spectra of stored cycles, computed beside the page: four small matrix products a cycle take as long as a frame. Here are the calls,
 * and both sides of them.
 */
import { serveCalls, startService } from '../../engine/index.ts';
import { workerPort } from '../workers/worker-port.ts';
import type { BasinInfo, HostPort, Service, ServicePort, Snapshot } from '../../engine/index.ts';
import type { Numbers } from '../document/values/plane-reader.ts';
import { type Laboratory, slot } from '../page/laboratory.ts';
import { coarseErrors, spectraOf, type CoarseErrors, type RunSpectra } from './spectrum.ts';

// A type, not an interface: it has to be a record of functions.
export type SpectraCommands = {
  readonly spectra: (errors: CoarseErrors) => RunSpectra;
};

/** Computes what comes over a port. */
export function serveSpectra(port: HostPort<SpectraCommands>): void {
  serveCalls<SpectraCommands>(port, { spectra: spectraOf });
}

export interface SpectraDesk {
  /** The spectra of a snapshot if they were computed before: they are small and stay with it, so that scrubbing computes none twice. */
  known(snapshot: Snapshot): RunSpectra | undefined;
  /**
   * Computes them, unless it has begun to.
   *
   * @param numbers what was asked for by `spectrumRequests`; nothing happens if some of it is missing
   * @param onKnown called when they are known
   */
  compute(snapshot: Snapshot, basin: BasinInfo, numbers: Numbers, onKnown: () => void): void;
}

function startWorker(): ServicePort<SpectraCommands> {
  return workerPort(
    new Worker(new URL('./spectra-worker.ts', import.meta.url), { type: 'module', name: 'shoal spectra' }),
  );
}

/** @param start starts the worker, with the first spectra and again when it broke down */
export function createSpectraDesk(start: () => ServicePort<SpectraCommands> = startWorker): SpectraDesk {
  const known = new WeakMap<Snapshot, RunSpectra>();
  const begun = new WeakSet<Snapshot>();
  let worker: Service<SpectraCommands> | undefined;
  const open = (): Service<SpectraCommands> =>
    startService<SpectraCommands>(start(), undefined, () => {
      worker = undefined;
    });
  return {
    known: (snapshot) => known.get(snapshot),
    compute(snapshot, basin, numbers, onKnown) {
      if (begun.has(snapshot)) return;
      const errors = coarseErrors(snapshot, basin, numbers);
      if (!errors) return;
      begun.add(snapshot);
      const keep = (spectra: RunSpectra): void => {
        known.set(snapshot, spectra);
        onKnown();
      };
      worker ??= open();
      // A worker that broke down has no spectra; the next one may.
      worker.call('spectra', errors).then(keep, () => begun.delete(snapshot));
    },
  };
}

/** @returns where a page has its spectra computed */
export const spectraDeskOf = slot<Laboratory, SpectraDesk>(() => createSpectraDesk());
