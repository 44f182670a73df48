/** The module worker that packs or unpacks one archive; `archive.ts` starts it. */
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveArchive } from './archive-calls.ts';

serveArchive(portOfThisWorker());
