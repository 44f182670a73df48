/** What archives from strangers may do: nothing but be refused, early and with a reason. */
import { constants, deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createArchive, serveArchive, type ArchiveCommands } from '../../../app/host/archive/archive.ts';
import { ARCHIVE_BOUNDS, packFiles, packFolder, unpackFolder } from '../../../app/files/zip.ts';
import { wires } from '../workers/wires.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const small = { files: 5, bytes: 10_000, ratio: 20, smallBytes: 1000 };
/** Bytes that pack badly. */
const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 2_654_435_761) >>> 24);

interface Written {
  readonly packed: Uint8Array;
  /** Size that the file's own header and the directory report. */
  readonly told: readonly [local: number, central: number];
  /** With the sizes behind the data instead of before them, as streams write. */
  readonly isStreamed?: boolean;
  /** What the directory says the content's checksum is. */
  readonly checksum?: number;
}

/** As another program has it: the local header of an archive of that content alone. */
function checksumOf(content: Uint8Array): number {
  const archive = zipSync({ x: content });
  return new DataView(archive.buffer, archive.byteOffset).getUint32(14, true);
}

type Field = readonly [offset: number, bytes: 2 | 4, value: number];

/** A header: numbers at their places. */
function numbers(count: number, fields: readonly Field[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(count));
  for (const [offset, bytes, value] of fields) {
    if (bytes === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
  }
  return new Uint8Array(view.buffer);
}

/** An archive of one file, whose headers may be wrong. */
function written({ packed, told: [local, central], isStreamed = false, checksum = 0 }: Written): Uint8Array {
  const name = bytesOf('run.json');
  const flags = isStreamed ? 8 : 0;
  const head = numbers(30, [
    [0, 4, 0x04_03_4b_50],
    [4, 2, 20],
    [6, 2, flags],
    [8, 2, 8],
    [18, 4, isStreamed ? 0 : packed.length],
    [22, 4, isStreamed ? 0 : local],
    [26, 2, name.length],
  ]);
  const descriptor = numbers(
    isStreamed ? 16 : 0,
    isStreamed
      ? [
          [0, 4, 0x08_07_4b_50],
          [8, 4, packed.length],
          [12, 4, local],
        ]
      : [],
  );
  const directory = numbers(46, [
    [0, 4, 0x02_01_4b_50],
    [4, 2, 20],
    [6, 2, 20],
    [8, 2, flags],
    [10, 2, 8],
    [16, 4, checksum],
    [20, 4, packed.length],
    [24, 4, central],
    [28, 2, name.length],
  ]);
  const end = numbers(22, [
    [0, 4, 0x06_05_4b_50],
    [8, 2, 1],
    [10, 2, 1],
    [12, 4, directory.length + name.length],
    [16, 4, head.length + name.length + packed.length + descriptor.length],
  ]);
  return Buffer.concat([head, name, packed, descriptor, directory, name, end]);
}

const kilobytes = deflateRawSync(new Uint8Array(500_000));

/** Deflated zeros: a megabyte that ends at a whole byte, again and again. */
function deflatedZeros(megabytes: number): Uint8Array {
  const one = deflateRawSync(new Uint8Array(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: megabytes }, () => one), deflateRawSync(new Uint8Array())]);
}

describe('an archive', () => {
  it('gives back what was packed, without the folder that everything is in', () => {
    const files = { 'run.json': bytesOf('{}'), 'fields/eta.npy': noise, empty: new Uint8Array() };
    expect(unpackFolder(packFolder('first-light-7', files))).toEqual(files);
    expect(unpackFolder(zipSync({ 'a/x': noise, 'b/x': noise, 'c/': new Uint8Array() }))).toEqual({
      'a/x': noise,
      'b/x': noise,
    });
  });

  it('is read although its sizes are behind its files, as streams write them', () => {
    const told = [noise.length, noise.length] as const;
    const streamed = { packed: deflateRawSync(noise), told, isStreamed: true };
    expect(unpackFolder(written({ ...streamed, checksum: checksumOf(noise) }))).toEqual({ 'run.json': noise });
    expect(() => unpackFolder(written({ ...streamed, checksum: checksumOf(noise) + 1 }))).toThrow(
      'the archive is damaged: "run.json" is not what was packed (checksum)',
    );
  });

  it('has the same bytes whenever and in whatever zone it is packed', () => {
    const packed = packFiles({ 'bundle.json': bytesOf('{}') });
    // 1980-01-01 00:00 in the format's own clock.
    expect(new DataView(packed.buffer, packed.byteOffset).getUint32(10, true)).toBe(((1 << 5) | 1) << 16);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['is none', bytesOf('no archive'), /not a zip archive/],
    ['is empty', new Uint8Array(), /not a zip archive/],
    [
      'holds too many files',
      zipSync(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, noise.subarray(0, 9)]))),
      /more than 5 files/,
    ],
    ['holds too much', zipSync({ a: noise, b: noise, c: noise }), /more than 10000 bytes/],
    ['unpacks to too much for its size', zipSync({ a: new Uint8Array(9000) }), /more than 20 times its size/],
    ['declares less than it holds', written({ packed: kilobytes, told: [500_000, 10] }), /more than/],
    ['declares less in both places', written({ packed: kilobytes, told: [10, 10] }), /more than/],
    ['declares more than it holds', written({ packed: deflateRawSync(noise), told: [5001, 5001] }), /damaged/],
    ['leads out', zipSync({ 'a/../../b': noise }), /leads out of it/],
    ['leads to the root', zipSync({ '/etc/b': noise }), /leads out of it/],
    ['leads out on Windows', zipSync({ '..\\b': noise }), /leads out of it/],
  ])('that %s is refused', (_what, archive, reason) => {
    expect(() => unpackFolder(archive, small)).toThrow(reason);
  });

  it('that is cut off is refused', () => {
    const archive = zipSync({ 'run.json': noise });
    for (const cut of [archive.length - 1, 100]) expect(() => unpackFolder(archive.subarray(0, cut))).toThrow(Error);
  });

  it('of 0.5 MB that unpacks to 0.5 GB is refused before it has grown, though it declares nothing of that', () => {
    const archive = written({ packed: deflatedZeros(500), told: [1000, 1000] });
    expect(archive.length).toBeLessThan(2 ** 20);
    const before = process.memoryUsage().rss;
    expect(() => unpackFolder(archive)).toThrow(`more than ${ARCHIVE_BOUNDS.ratio} times its size`);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
  });
});

/** A worker whose two ends are in this thread. */
function archive() {
  const { page, worker, isTerminated } = wires<ArchiveCommands>();
  serveArchive(worker);
  return { isTerminated, ...createArchive(() => page) };
}

describe('packing and unpacking beside the page', () => {
  it('gives the same, takes the memory of what it unpacks alone, and ends its worker', async () => {
    const beside = archive();
    const packed = await beside.pack('run', { 'run.json': noise });
    expect(noise.byteLength).toBe(5000);
    expect(beside.isTerminated()).toBe(true);
    expect(await archive().unpack(packed)).toEqual({ 'run.json': noise });
    expect(packed.byteLength).toBe(0);
  });

  it('reports why it refuses', async () => {
    const beside = archive();
    await expect(beside.unpack(bytesOf('no archive'))).rejects.toThrow('not a zip archive');
    expect(beside.isTerminated()).toBe(true);
  });
});
