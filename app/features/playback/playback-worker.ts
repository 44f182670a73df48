/** The module worker that reads the stored states of a run; `play-folder.ts` starts it. It asks the page for parts of their file. */
import '../../workers/strict-policy.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { servePlayback } from './playback-service.ts';

servePlayback(portOfThisWorker(), openHdf5);
