/** Whole planes that several ask for are read once. */
import { expect, it, vi } from 'vitest';
import type { DevicePlaneReader } from '../../../../engine/index.ts';
import type { DevicePlane } from '../../../../engine/index.ts';
import { createDeviceFetch } from '../../../../app/document/values/device-fetch.ts';

const { signal } = new AbortController();

function plane(cells = 4): DevicePlane {
  return { kind: 'device', buffer: {} as GPUBuffer, byteOffset: 0, cells, lease: { over: false } };
}

/** A reader whose planes hold their own number everywhere. */
function reader(planes: readonly DevicePlane[]) {
  const read = vi.fn<DevicePlaneReader>((requests) =>
    Promise.resolve(requests.map((request) => [planes.indexOf(request.plane)])),
  );
  return {
    read,
    fetch: createDeviceFetch({} as GPUDevice, read),
    wholes: () => read.mock.calls.flatMap(([requests]) => requests.filter(({ cells }) => cells === undefined)),
  };
}

it('answers in the order of the requests, from memory, whole planes and parts', async () => {
  const planes = [plane(), plane(), plane()];
  const { fetch } = reader(planes);
  const values = Float32Array.of(9);
  const requests = [
    { plane: planes[2], cells: [0] },
    { plane: planes[1] },
    { plane: { kind: 'host', values } as const },
    { plane: planes[0] },
  ];
  expect(await fetch(requests, signal)).toEqual([[2], [1], values, [0]]);
});

it('reads a whole plane once, also for those who ask while it is on its way', async () => {
  const planes = [plane(), plane()];
  const { fetch, wholes } = reader(planes);
  const both = planes.map((each) => ({ plane: each }));
  await Promise.all([fetch(both, signal), fetch(both, signal)]);
  await fetch([{ plane: planes[1] }], signal);
  expect(wholes()).toHaveLength(2);
});

it('keeps the latest within a bound, and reads again what is no longer kept, or could not be read', async () => {
  const large = [plane(2 ** 22), plane(2 ** 22), plane(2 ** 22)];
  const { fetch, read, wholes } = reader(large);
  for (const each of large) await fetch([{ plane: each }], signal);
  await fetch([{ plane: large[2] }, { plane: large[1] }], signal);
  expect(wholes()).toHaveLength(3);
  await fetch([{ plane: large[0] }], signal);
  expect(wholes()).toHaveLength(4);

  const other = plane();
  read.mockRejectedValueOnce(new Error('gone'));
  await expect(fetch([{ plane: other }], signal)).rejects.toThrow('gone');
  await expect(fetch([{ plane: other }], signal)).resolves.toEqual([[-1]]);
});

it('ends with the signal of the asker, and continues for the others', async () => {
  const planes = [plane()];
  const { fetch } = reader(planes);
  const end = new AbortController();
  const ended = fetch([{ plane: planes[0] }], end.signal);
  const other = fetch([{ plane: planes[0] }], signal);
  end.abort(new Error('nobody waits'));
  await expect(ended).rejects.toThrow('nobody waits');
  await expect(other).resolves.toEqual([[0]]);
});
