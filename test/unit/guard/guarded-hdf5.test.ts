/** HDF5 files read in threads of their own: the same numbers, and an end to what would have none. */
import { Worker } from 'node:worker_threads';
import { File, ready } from 'h5wasm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FileLostError, guardHdf5, readHdf5Here } from '../../../engine/index.ts';
import type { Hdf5Reader, OpenHdf5 } from '../../../engine/index.ts';
import { boundMemory } from '../../../engine/guard/hdf5-calls.ts';
import type { Hdf5StarterPort } from '../../../engine/guard/index.ts';
import { buildHdf5Thread } from '../../setup/hdf5-thread.ts';
import type { Hdf5Threads } from '../../setup/hdf5-thread.ts';

const SHORT = { seconds: 1, secondsPerMebibyte: 0 };
const [PLANES, SIDE] = [6, 128];
const noise = Float32Array.from({ length: PLANES * SIDE * SIDE }, (_, i) => Math.sin(i * i));

const nothing = (): void => undefined;

let threads: Hdf5Threads;
let bytes: Uint8Array;

beforeAll(async () => {
  threads = await buildHdf5Thread();
  const { FS } = await ready;
  const file = new File('/guarded.h5', 'w');
  const shape = [PLANES, SIDE, SIDE];
  const made = file.create_dataset({ name: 'noise', data: noise, shape, chunks: [1, SIDE, SIDE], compression: 1 });
  made.create_attribute('units', 'm');
  file.create_dataset({ name: 'labels', data: ['a', 'größe'], dtype: 'S' });
  // Unpacked it is 40 MiB, packed next to nothing.
  const large = { shape: [10 * 2 ** 20], chunks: [10 * 2 ** 20], compression: 1 };
  file.create_dataset({ name: 'large', data: new Float32Array(10 * 2 ** 20), ...large });
  file.close();
  bytes = FS.readFile('/guarded.h5');
});
afterAll(() => threads.dispose());

async function contentOf(file: Hdf5Reader) {
  return {
    facts: await file.variable('noise', ['units', 'missing_value']),
    none: await file.variable('group/noise'),
    planes: await file.planes(),
    numbers: await file.numbers('noise', [
      [4, 5],
      [0, SIDE],
      [0, SIDE],
    ]),
    labels: await file.labels('labels'),
    refusal: await file.numbers('labels', [[0, 1]]).catch(String),
  };
}

/** A file that is fetched part by part, each after a while. */
const source = (milliseconds: number) => ({
  length: bytes.length,
  read: (from: number, count: number) =>
    new Promise<Uint8Array>((resolve) => {
      setTimeout(() => resolve(bytes.subarray(from, from + count)), milliseconds);
    }),
});

/** A thread that does as a script says, and when it has ended. */
function threadOf(script: string): { readonly start: () => Hdf5StarterPort; readonly ended: Promise<void> } {
  let exited = nothing;
  const ended = new Promise<void>((resolve) => {
    exited = resolve;
  });
  return {
    ended,
    start() {
      const worker = new Worker(`const { parentPort } = require('node:worker_threads'); ${script}`, { eval: true });
      worker.on('exit', () => exited());
      return {
        post: (message, transfer) => worker.postMessage(message, [...transfer]),
        listen: (listener) => void worker.on('message', listener),
        onFailure: (listener) => void worker.on('error', listener),
        close: () => void worker.terminate(),
      };
    },
  };
}

describe('a file in a thread of its own', () => {
  it.each<[string, () => Uint8Array]>([
    ['a Buffer', () => Buffer.from(bytes)],
    ['a part of a buffer with more in it', () => new Uint8Array([0, ...bytes, 0]).subarray(1, -1)],
    ['memory that is shared', () => new Uint8Array(new SharedArrayBuffer(bytes.length))],
  ])('leaves %s to whoever gave it', async (_, make) => {
    const given = make();
    given.set(bytes);
    const { byteLength } = given.buffer;
    const file = await guardHdf5(() => threads.start())(given, 'given.h5');
    expect(await file.labels('labels')).toEqual(['a', 'größe']);
    file.close();
    expect(given.buffer.byteLength).toBe(byteLength);
    expect(Buffer.compare(given, bytes)).toBe(0);
  });

  it('has the numbers, the facts and the refusals that it has here', async () => {
    const expected = await contentOf(await readHdf5Here(bytes, 'a.h5'));
    expect(expected).toMatchObject({ none: undefined, labels: ['a', 'größe'], facts: { attributes: { units: 'm' } } });
    expect(expected.refusal).toContain('a.h5: labels: found something else than numbers');
    const open = guardHdf5(() => threads.start());
    for (const content of [bytes, source(0)]) {
      const file = await open(content, 'a.h5');
      expect(await contentOf(file)).toStrictEqual(expected);
      file.close();
      await expect(file.planes()).rejects.toThrow('a.h5 is closed');
    }
    expect(bytes.length).toBeGreaterThan(0);
  });

  it('reports what is wrong with the place that its parts come from', async () => {
    const broken = { length: bytes.length, read: () => Promise.reject(new Error('the disk is gone')) };
    await expect(guardHdf5(() => threads.start())(broken, 'a.h5')).rejects.toThrow('the disk is gone');
  });
});

describe('a thread that does not come back', () => {
  it('is ended after its time, and what it was asked is reported', async () => {
    // The library is WebAssembly, and so is the loop: (loop br 0).
    const { start, ended } = threadOf(`const loop = Uint8Array.of(
      0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11);
    parentPort.on('message', ({ call, name }) => {
      if (name !== 'open') new WebAssembly.Instance(new WebAssembly.Module(loop)).exports.f();
      parentPort.postMessage({ type: 'result', call });
    });`);
    const file = await guardHdf5(start, { seconds: 1, secondsPerMebibyte: 2 ** 20 / bytes.length })(bytes, 'b.nc');
    const asked = file.numbers('eta', [[0, 1]]);
    const waiting = file.variable('hu');
    await expect(asked).rejects.toThrow(
      /^b\.nc: eta: found no answer of HDF5 within 2 s, which are allowed \(1 s, and .* for each MiB of the file\); the file is damaged: take/,
    );
    await expect(waiting).rejects.toThrow('b.nc: eta: found no answer');
    await expect(file.planes()).rejects.toBeInstanceOf(FileLostError);
    await ended;
  });

  it('is left its time again with each part that it asks for, and what a disk takes does not count', async () => {
    vi.useFakeTimers();
    try {
      let tell: Parameters<Hdf5StarterPort['listen']>[0] = nothing;
      let parts = 0;
      // Less than the limit each, more than it together.
      const ask = (): void =>
        void setTimeout(() => tell({ type: 'event', event: { question: parts, from: 0, bytes: 1 } }), 700);
      const port: Hdf5StarterPort = {
        post({ call, name }) {
          if (name === 'part') parts += 1;
          if (parts < 3) ask();
          else if (call === undefined) tell({ type: 'result', call: 0, result: undefined });
        },
        listen(listener) {
          tell = listener;
        },
        onFailure: nothing,
        close: nothing,
      };
      const opening = guardHdf5(() => port, SHORT)(source(5000), 'd.nc');
      await vi.advanceTimersByTimeAsync(3 * 5700);
      const file = await opening;
      const never = file.planes().catch(String);
      await vi.advanceTimersByTimeAsync(1000);
      expect(await never).toContain('d.nc: found no answer of HDF5 within 1 s');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a thread that breaks down', () => {
  it('is reported with its file', async () => {
    const open: OpenHdf5 = guardHdf5(
      threadOf(`parentPort.on('message', () => { throw new Error('out of bounds'); });`).start,
    );
    await expect(open(bytes, 'e.nc')).rejects.toThrow(
      /^e\.nc: the thread that reads it broke down: out of bounds; the file is damaged, or too large/,
    );
  });

  it('has bounded memory, and says that it was too little', async () => {
    // The library begins with 16 MiB.
    const file = await guardHdf5(() => threads.start(2 ** 25))(bytes, 'f.h5');
    expect(
      (
        await file.numbers('noise', [
          [0, 1],
          [0, SIDE],
          [0, SIDE],
        ])
      ).length,
    ).toBe(SIDE * SIDE);
    await expect(file.numbers('large', [[0, 10]])).rejects.toThrow(
      'f.h5: large: HDF5 asks for more than 32 MiB of memory, which are allowed; the file is damaged, or its chunks are too large',
    );
    file.close();
  });

  it('lets memory grow up to its bound', () => {
    const { prototype } = WebAssembly.Memory;
    const before: unknown = Reflect.get(prototype, 'grow');
    try {
      const bound = boundMemory(3 * 2 ** 16);
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 10, shared: false });
      expect(memory.grow(2)).toBe(1);
      expect(bound.exceeded()).toBeUndefined();
      expect(() => memory.grow(1)).toThrow(RangeError);
      expect(bound.exceeded()).toBe(3 * 2 ** 16);
      expect(bound.exceeded()).toBeUndefined();
    } finally {
      Reflect.set(prototype, 'grow', before);
    }
  });
});
