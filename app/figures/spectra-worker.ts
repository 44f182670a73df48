/** The module worker that computes spectra; `spectra-calls.ts` starts it. */
import { portOfThisWorker } from '../workers/worker-port.ts';
import { serveSpectra } from './spectra-calls.ts';

serveSpectra(portOfThisWorker());
