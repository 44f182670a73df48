/** Packing and unpacking in a worker: the page stays free meanwhile. Here are the calls, and both sides of them. */
import { memoryOf, type ServicePort, Given, serveCalls, type HostPort } from '../../../engine/index.ts';
import { inWorker, workerPort } from '../../workers/worker-port.ts';
import { type Files, packAround, packFolder, unpackFolder } from '../../files/zip.ts';

/** A folder with files that are not to be in memory. */
interface LargeFolder {
  readonly name: string;
  readonly files: Files;
  /** By their paths in the folder. */
  readonly large: Readonly<Record<string, Blob>>;
}

// A type, not an interface: it has to be a record of functions.
export type ArchiveCommands = {
  readonly pack: (folder: { readonly name: string; readonly files: Files }) => Uint8Array;
  readonly packAround: (folder: LargeFolder) => Blob;
  readonly unpack: (bytes: Uint8Array) => Files;
};

/** Packs and unpacks over a port. The result is transferred. */
export function serveArchive(port: HostPort<ArchiveCommands>): void {
  serveCalls<ArchiveCommands>(port, {
    pack({ name, files }) {
      const packed = packFolder(name, files);
      return new Given(packed, memoryOf([packed]));
    },
    packAround: ({ name, files, large }) => packAround(name, files, large),
    unpack(bytes) {
      const files = unpackFolder(bytes);
      return new Given(files, memoryOf(Object.values(files)));
    },
  });
}

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
