/** Packing in a worker: what is called there, and that side of it. */
import { Given, memoryOf, serveCalls, type HostPort } from '../../../engine/index.ts';
import { packAround, packFolder, unpackFolder, type Files } from '../../files/zip.ts';

/** A folder with files that are not to be in memory. */
export interface LargeFolder {
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
