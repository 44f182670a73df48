/** Packing and unpacking beside the page, which stays free meanwhile. */
import { memoryOf, runJob, wireTo } from '../../workers/job.ts';
import type { WorkerWire } from '../../workers/job.ts';
import type { Files } from './zip.ts';

export type ArchiveWork =
  | { readonly kind: 'pack'; readonly name: string; readonly files: Files }
  | { readonly kind: 'unpack'; readonly bytes: Uint8Array };

export interface Archive {
  pack(name: string, files: Files): Promise<Uint8Array>;
  /** The bytes are given away. @throws Error when it is no archive, is damaged, or grows beyond the bounds */
  unpack(bytes: Uint8Array): Promise<Files>;
}

function startWorker(): WorkerWire {
  return wireTo(new Worker(new URL('./archive-worker.ts', import.meta.url), { type: 'module', name: 'shoal archive' }));
}

export function createArchive(start: () => WorkerWire = startWorker): Archive {
  const run = <Output>(value: ArchiveWork, arrays: readonly Uint8Array[]): Promise<Output> =>
    runJob(start(), { value, transfer: memoryOf(arrays) });
  return {
    // The run on screen goes on with what its folder holds.
    pack: (name, files) => run({ kind: 'pack', name, files }, []),
    unpack: (bytes) => run({ kind: 'unpack', bytes }, [bytes]),
  };
}
