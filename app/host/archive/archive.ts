/** Packing and unpacking beside the page, which stays free meanwhile. */
import { memoryOf, type ServicePort } from '../../../engine/index.ts';
import { inWorker, workerPort } from '../../workers/worker-port.ts';
import type { ArchiveCommands, LargeFolder } from './archive-service.ts';
import type { Files } from '../../files/zip.ts';

export interface Archive {
  pack(name: string, files: Files): Promise<Uint8Array>;
  /** With large files as they are, which are never in memory. @throws RangeError if there is no room in the format */
  packAround(folder: LargeFolder): Promise<Blob>;
  /** The bytes are given away. @throws Error when it is no archive, is damaged, or grows beyond the bounds */
  unpack(bytes: Uint8Array): Promise<Files>;
}

function startWorker(): ServicePort<ArchiveCommands> {
  return workerPort(
    new Worker(new URL('./archive-worker.ts', import.meta.url), { type: 'module', name: 'shoal archive' }),
  );
}

export function createArchive(start = startWorker): Archive {
  return {
    // The run on screen continues with what its folder holds.
    pack: (name, files) =>
      inWorker<ArchiveCommands, never, Uint8Array>(start(), (service) => service.call('pack', { name, files })),
    packAround: (folder) =>
      inWorker<ArchiveCommands, never, Blob>(start(), (service) => service.call('packAround', folder)),
    unpack: (bytes) =>
      inWorker<ArchiveCommands, never, Files>(start(), (service) => service.call('unpack', bytes, memoryOf([bytes]))),
  };
}
