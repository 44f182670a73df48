import { describe, expect, it } from 'vitest';
import { droppedFolders } from '../../../app/host/incoming.ts';

type Tree = { readonly [name: string]: Tree | string };

function fileEntry(name: string, text: string): FileSystemEntry {
  const entry = {
    name,
    isFile: true,
    isDirectory: false,
    file: (take: (file: File) => void) => take(new File([text], name)),
  };
  return entry as unknown as FileSystemEntry;
}

/** A folder as a browser gives it: its entries in parts of two, and an empty one at the end. */
function folderEntry(name: string, tree: Tree): FileSystemEntry {
  const entries = Object.entries(tree).map(([inside, content]) =>
    typeof content === 'string' ? fileEntry(inside, content) : folderEntry(inside, content),
  );
  const createReader = () => {
    let next = 0;
    return {
      readEntries(take: (part: readonly FileSystemEntry[]) => void) {
        next += 2;
        take(entries.slice(next - 2, next));
      },
    };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

/** What was dropped: folders and files, in the lists that a browser makes of them. */
function transferOf(
  folders: Readonly<Record<string, Tree>>,
  files: readonly File[],
): Pick<DataTransfer, 'items' | 'files'> {
  const items = [
    ...Object.entries(folders).map(([name, tree]) => folderEntry(name, tree)),
    ...files.map(({ name }) => fileEntry(name, '')),
  ].map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry }));
  // A folder is among the files as well, by its name and without content.
  const all = [...Object.keys(folders).map((name) => new File([], name)), ...files];
  return { items, files: all } as unknown as Pick<DataTransfer, 'items' | 'files'>;
}

const archive = {
  unpack: (bytes: Uint8Array) => Promise.resolve({ 'run.json': bytes }),
};

async function read(
  transfer: Pick<DataTransfer, 'items' | 'files'>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = droppedFolders(transfer, archive);
  const texts = found.map(async ({ name, content }) => {
    const { files, parted } = await content;
    const whole = Object.entries(files).map(([path, bytes]) => `${path}: ${new TextDecoder().decode(bytes)}`);
    const inParts = Object.entries(parted).map(async ([path, file]) => {
      return `${path} of ${file.size}: ${new TextDecoder().decode(await file.read(1, 2))}`;
    });
    return [name, [...whole, ...(await Promise.all(inParts))]] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

describe('run folders that are dropped', () => {
  it('are folders with all that lies in them, archives, and loose files as one', async () => {
    const folders = {
      first: { 'run.json': 'a', 'diagnostics.csv': 'b', 'scenario-files': { 'bed.npy': 'c' }, 'x.csv': 'd' },
      second: { 'run.json': 'e' },
    };
    const files = [new File(['packed'], 'third.ZIP'), new File(['f'], 'run.json'), new File(['g'], 'kernels.csv')];
    expect(await read(transferOf(folders, files))).toEqual({
      first: ['run.json: a', 'diagnostics.csv: b', 'scenario-files/bed.npy: c', 'x.csv: d'],
      second: ['run.json: e'],
      third: ['run.json: packed'],
      'run.json': ['run.json: f', 'kernels.csv: g'],
    });
  });

  it('have states that are read in parts, however large they are', async () => {
    const states = Object.assign(new File(['0123'], 'fields.bin'), {
      arrayBuffer: () => Promise.reject(new Error('it was read')),
    });
    Object.defineProperty(states, 'size', { value: 2 ** 31 });
    const folders = { first: { 'run.json': 'a', 'fields.nc': 'abcdef', more: { 'fields.nc': 'b' } } };
    expect(await read(transferOf(folders, [new File(['c'], 'run.json'), states]))).toEqual({
      first: ['run.json: a', 'more/fields.nc: b', 'fields.nc of 6: bc'],
      'run.json': ['run.json: c', 'fields.bin of 2147483648: 12'],
    });
  });

  it('are none if nothing of the kind was dropped', () => {
    expect(droppedFolders(transferOf({}, []), archive)).toEqual([]);
  });

  it('are refused before they are read where they are too large, each by itself', async () => {
    const large = { name: 'huge.zip', size: 2 ** 31, arrayBuffer: () => Promise.reject(new Error('it was read')) };
    const [huge, good] = droppedFolders(
      transferOf({}, [large as unknown as File, new File(['a'], 'good.zip')]),
      archive,
    );
    await expect(huge.content).rejects.toThrow('found 2147483648 bytes, allowed: 1073741824');
    expect(Object.keys((await good.content).files)).toEqual(['run.json']);
  });
});
