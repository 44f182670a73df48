/** The parts of Emscripten's file system, through which HDF5 reads and writes, that are replaced by files of our own. */

/** Numbers of the errors that a file system answers HDF5 with. */
export const IO_ERROR = 29;
const INVALID = 28;
/** What `llseek` counts from; from the beginning otherwise. */
const FROM_HERE = 1;
const FROM_END = 2;

interface OpenStream {
  position: number;
}

type Seek = (stream: OpenStream, offset: number, whence: number) => number;

/** A file as the file system has it. */
export interface FileNode {
  node_ops: {
    getattr(node: FileNode): object;
    setattr(node: FileNode, attributes: { readonly size?: number }): void;
  };
  stream_ops: {
    llseek: Seek;
    read(stream: OpenStream, buffer: Uint8Array, offset: number, length: number, position: number): number;
    write(stream: OpenStream, buffer: Uint8Array, offset: number, length: number, position: number): number;
  };
}

export interface FileSystem {
  readonly ErrnoError: new (errno: number) => Error;
  createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): FileNode;
  unlink(path: string): void;
}

/** @returns how a place is sought in a file of `size()` bytes */
export function seekIn(fs: FileSystem, size: () => number): Seek {
  return (stream, offset, whence) => {
    const position = offset + (whence === FROM_HERE ? stream.position : whence === FROM_END ? size() : 0);
    if (position < 0) throw new fs.ErrnoError(INVALID);
    return position;
  };
}
