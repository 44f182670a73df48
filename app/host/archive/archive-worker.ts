/** The module worker that packs or unpacks one archive; `archive.ts` starts it. */
import '../../workers/strict-policy.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveArchive } from './archive.ts';

serveArchive(portOfThisWorker());
