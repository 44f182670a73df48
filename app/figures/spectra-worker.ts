/** The module worker that computes spectra; `spectra-service.ts` starts it. */
import { portOfThisWorker } from '../workers/worker-port.ts';
import { serveSpectra } from './spectra-service.ts';

serveSpectra(portOfThisWorker());
