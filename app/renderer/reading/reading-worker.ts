/** The module worker that reads what a person opens; `worker-reader.ts` starts it. It asks the page for the files of a scenario. */
import '../../workers/strict-policy.ts';
import { memoryOf, serveJob, wireToPage } from '../../workers/job.ts';
import { readRunFolder } from './read-run.ts';
import { readScenario } from './read-scenario.ts';
import type { FileQuestion, ReadingWork } from './worker-reader.ts';

serveJob(wireToPage(), async (given, ask) => {
  const work = given as ReadingWork;
  if (work.kind === 'run') {
    const opened = await readRunFolder(work.files);
    return {
      value: opened,
      transfer: memoryOf([...Object.values(opened.checkpoint?.arrays ?? {}), ...Object.values(opened.files)]),
    };
  }
  const siblings = (file: string, most: number): Promise<Uint8Array | undefined> =>
    ask({ file, most } satisfies FileQuestion) as Promise<Uint8Array | undefined>;
  const read = await readScenario({ name: work.name, bytes: work.bytes, siblings });
  return { value: read, transfer: memoryOf(Object.values(read.files)) };
});
