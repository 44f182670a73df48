/** The module worker that packs or unpacks one archive; `archive.ts` starts it. */
import { memoryOf, serveJob, wireToPage } from '../../workers/job.ts';
import type { ArchiveWork } from './archive.ts';
import { packFolder, unpackFolder } from './zip.ts';

serveJob(wireToPage(), async (given) => {
  const work = given as ArchiveWork;
  if (work.kind === 'pack') {
    const packed = packFolder(work.name, work.files);
    return { value: packed, transfer: memoryOf([packed]) };
  }
  const files = unpackFolder(work.bytes);
  return { value: files, transfer: memoryOf(Object.values(files)) };
});
