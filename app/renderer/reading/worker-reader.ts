/**
 * Reading beside the page: a large file would otherwise hold up whatever the person does meanwhile. What takes less than a
 * frame is read here, sooner than a worker starts.
 */
import { fileReferences, parseScenario } from '../../../engine/index.ts';
import type { OpenedFile } from '../../host/host.ts';
import { memoryOf, runJob, wireTo } from '../../workers/job.ts';
import type { WorkerWire } from '../../workers/job.ts';
import type { OpenedRun } from './read-run.ts';
import type { ReadScenario } from './read-scenario.ts';
import type { Reader } from './reader.ts';

export type ReadingWork =
  | { readonly kind: 'scenario'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'run'; readonly files: Readonly<Record<string, Uint8Array>> };

/** What the worker asks for: a file that the scenario names, of so many bytes at most. */
export interface FileQuestion {
  readonly file: string;
  readonly most: number;
}

/** A scenario of that length is parsed in a few milliseconds. */
const SHORT_BYTES = 2 ** 14;

function startWorker(): WorkerWire {
  return wireTo(new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module', name: 'shoal reader' }));
}

/** @returns the scenario where it is short and names no file */
function readHere({ name, bytes }: OpenedFile): ReadScenario | undefined {
  if (bytes.length > SHORT_BYTES) return undefined;
  const parsed = parseScenario(bytes, name);
  return fileReferences(parsed.scenario).length === 0 ? { parsed, files: {} } : undefined;
}

export function createWorkerReader(start: () => WorkerWire = startWorker): Reader {
  return {
    async scenario(file) {
      const here = readHere(file);
      if (here) return here;
      const { name, bytes, siblings } = file;
      const work: ReadingWork = { kind: 'scenario', name, bytes };
      // The bytes stay: recent files are remembered by them.
      return runJob<ReadScenario>(start(), { value: work, transfer: [] }, async (about) => {
        const { file: sibling, most } = about as FileQuestion;
        const value = await siblings(sibling, most);
        return { value, transfer: value ? memoryOf([value]) : [] };
      });
    },
    run(files) {
      const work: ReadingWork = { kind: 'run', files };
      return runJob<OpenedRun>(start(), { value: work, transfer: memoryOf(Object.values(files)) });
    },
  };
}
