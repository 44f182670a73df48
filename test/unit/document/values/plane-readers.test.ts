/** Whole planes that several ask for are read once. */
import { expect, it, vi, afterEach, beforeEach, describe } from 'vitest';
import type { DevicePlaneReader, DevicePlane, HostPlane } from '../../../../engine/index.ts';
import { createDeviceFetch, createReader } from '../../../../app/document/values/plane-readers.ts';
import {
  hostReader,
  requestsFor,
  type Answer,
  type PlaneNumbers,
  type PlaneRequest,
} from '../../../../app/document/values/plane-reader.ts';
import { settle } from '../run/fake-run.ts';

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

interface Fetched {
  readonly requests: readonly PlaneRequest[];
  readonly signal: AbortSignal;
  readonly answer: (numbers: readonly PlaneNumbers[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

function hostPlaneOf(value: number): HostPlane {
  return { kind: 'host', values: Float32Array.of(value) };
}

const [a, b, c] = [hostPlaneOf(1), hostPlaneOf(2), hostPlaneOf(3)];

function asking(interval = 0) {
  const fetched: Fetched[] = [];
  const arrived: Answer<string>[] = [];
  const reader = createReader(
    (requests, signal) =>
      new Promise((resolve, reject) => {
        fetched.push({
          requests,
          signal,
          answer: (numbers) => {
            resolve(numbers);
            return settle();
          },
          fail: () => {
            reject(new Error('the device is lost'));
            return settle();
          },
        });
      }),
  );
  const enquiry = reader.open<string>({ interval, onAnswer: (answer) => arrived.push(answer) });
  return { fetched, arrived, enquiry };
}

const subjects = (arrived: readonly Answer<string>[]): string[] => arrived.map(({ subject }) => subject);

describe('a question whose answer takes time', () => {
  it('is asked once, and answered with what it is about', async () => {
    const { fetched, arrived, enquiry } = asking();
    expect(enquiry.ask('a', [{ plane: a }])).toBeUndefined();
    expect(enquiry.ask('a', [{ plane: a }])).toBeUndefined();
    expect(fetched).toHaveLength(1);
    await fetched[0].answer([Float32Array.of(7)]);
    expect(subjects(arrived)).toEqual(['a']);
    const answer = enquiry.ask('a', [{ plane: a }]);
    expect(answer?.numbers(a)).toEqual(Float32Array.of(7));
    expect(answer?.numbers(b)).toBeUndefined();
    expect(fetched).toHaveLength(1);
  });

  it('waits for the one before, and gives way to a newer one', async () => {
    const { fetched, arrived, enquiry } = asking();
    enquiry.ask('a', [{ plane: a }]);
    enquiry.ask('b', [{ plane: b }]);
    enquiry.ask('c', [{ plane: c }]);
    expect(fetched).toHaveLength(1);
    await fetched[0].answer([a.values]);
    // The answer that came is still that of the first question, and says so.
    expect(enquiry.ask('c', [{ plane: c }])?.subject).toBe('a');
    expect(fetched.map(({ requests }) => requests[0].plane)).toEqual([a, c]);
    await fetched[1].answer([c.values]);
    expect(subjects(arrived)).toEqual(['a', 'c']);
    expect(fetched).toHaveLength(2);
  });

  it('is not asked again where the asker came back to what is on its way', async () => {
    const { fetched, arrived, enquiry } = asking();
    enquiry.ask('a', [{ plane: a }]);
    enquiry.ask('b', [{ plane: b }]);
    enquiry.ask('a', [{ plane: a }]);
    await fetched[0].answer([a.values]);
    expect(subjects(arrived)).toEqual(['a']);
    expect(fetched).toHaveLength(1);
  });

  it('is dropped when the asker came back to what is answered', async () => {
    const { fetched, arrived, enquiry } = asking();
    enquiry.ask('a', [{ plane: a }]);
    await fetched[0].answer([a.values]);
    enquiry.ask('b', [{ plane: b }]);
    expect(enquiry.ask('a', [{ plane: a }])?.subject).toBe('a');
    await fetched[1].answer([b.values]);
    expect(subjects(arrived)).toEqual(['a']);
    expect(enquiry.ask('a', [{ plane: a }])?.numbers(a)).toBe(a.values);
  });

  it('serves another subject that needs the same numbers', async () => {
    const { fetched, arrived, enquiry } = asking();
    enquiry.ask('surface', [{ plane: a, cells: [4] }]);
    enquiry.ask('depth', [{ plane: a, cells: [4] }]);
    await fetched[0].answer([a.values]);
    expect(subjects(arrived)).toEqual(['depth']);
    expect(enquiry.ask('surface', [{ plane: a, cells: [4] }])?.subject).toBe('surface');
    expect(fetched).toHaveLength(1);
    enquiry.ask('surface', [{ plane: a, cells: [5] }]);
    expect(fetched).toHaveLength(2);
  });

  it('has no answer when it fails, and the next is asked', async () => {
    const { fetched, arrived, enquiry } = asking();
    enquiry.ask('a', [{ plane: a }]);
    enquiry.ask('b', [{ plane: b }]);
    await fetched[0].fail();
    expect(arrived).toEqual([]);
    await fetched[1].answer([b.values]);
    expect(subjects(arrived)).toEqual(['b']);
    // One that failed may be asked again.
    enquiry.ask('a', [{ plane: a }]);
    expect(fetched).toHaveLength(3);
  });

  it('is given up when the asker leaves', async () => {
    const { fetched, arrived, enquiry } = asking();
    enquiry.ask('a', [{ plane: a }]);
    enquiry.ask('b', [{ plane: b }]);
    enquiry.close();
    expect(fetched[0].signal.aborted).toBe(true);
    await fetched[0].answer([a.values]);
    expect(arrived).toEqual([]);
    expect(enquiry.ask('c', [{ plane: c }])).toBeUndefined();
    expect(fetched).toHaveLength(1);
  });
});

describe('askers with an interval', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ask at once, then the newest when the interval is over', async () => {
    const { fetched, enquiry } = asking(250);
    enquiry.ask('a', [{ plane: a }]);
    await fetched[0].answer([a.values]);
    vi.advanceTimersByTime(100);
    enquiry.ask('b', [{ plane: b }]);
    vi.advanceTimersByTime(100);
    enquiry.ask('c', [{ plane: c }]);
    expect(fetched).toHaveLength(1);
    vi.advanceTimersByTime(50);
    expect(fetched.map(({ requests }) => requests[0].plane)).toEqual([a, c]);
  });

  it('ask nothing more after they left', async () => {
    const { fetched, enquiry } = asking(250);
    enquiry.ask('a', [{ plane: a }]);
    await fetched[0].answer([a.values]);
    enquiry.ask('b', [{ plane: b }]);
    enquiry.close();
    vi.advanceTimersByTime(1000);
    expect(fetched).toHaveLength(1);
  });
});

describe('planes in memory', () => {
  it('are answered at once, always to the question that was asked', () => {
    const enquiry = hostReader.open<string>({ onAnswer: () => expect.unreachable() });
    for (const [subject, asked] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const answer = enquiry.ask(subject, [{ plane: asked }]);
      expect(answer?.subject).toBe(subject);
      expect(answer?.numbers(asked)).toBe(asked.values);
    }
  });
});

it('asks for a plane once, however many want it', () => {
  const cells = [3];
  expect(requestsFor([a, undefined, b, a], cells)).toEqual([
    { plane: a, cells },
    { plane: b, cells },
  ]);
});
