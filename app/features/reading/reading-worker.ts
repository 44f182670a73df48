/** The module worker that reads what the user opens; `worker-reader.ts` starts it. It asks the page for the files of a scenario. */
import '../../workers/strict-policy.ts';
import { openHdf5 } from '../../workers/hdf5.ts';
import { portOfThisWorker } from '../../workers/worker-port.ts';
import { serveReading } from './reading-service.ts';
import { loadReportFonts } from './report-fonts.ts';

serveReading(portOfThisWorker(), openHdf5, loadReportFonts);
