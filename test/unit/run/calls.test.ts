import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { Given, LimitError, memoryOf, serveCalls } from '../../../engine/index.ts';
import type { HostPort, ServicePort } from '../../../engine/index.ts';
import { createCaller } from '../../../engine/run/calls.ts';
import { portOf } from './hold.ts';

type Commands = {
  readonly double: (number: number) => number;
  readonly refuse: (why: string) => void;
  readonly array: (length: number) => Float64Array;
  readonly wait: (nothing: undefined) => void;
};

const kept: Float64Array[] = [];
const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const free of cleanUp.splice(0)) free();
});

function line() {
  const { port1, port2 } = new MessageChannel();
  cleanUp.push(() => port1.close());
  const events: string[] = [];
  const failures: Error[] = [];
  let fail: ((error: Error) => void) | undefined;
  const host: HostPort<Commands, string> = portOf(port2);
  const starter: Pick<ServicePort<Commands, string>, 'post' | 'listen'> = portOf(port1);
  const emit = serveCalls<Commands, string>(host, {
    double: (number) => 2 * number,
    refuse(why) {
      throw new LimitError(why);
    },
    array(length) {
      const array = new Float64Array(length).fill(1);
      kept.push(array);
      return new Given(array, memoryOf([array]));
    },
    wait: () => new Promise<void>(() => undefined),
  });
  const caller = createCaller<Commands, string>(
    {
      ...starter,
      close: () => port1.close(),
      onFailure(listener) {
        fail = listener;
      },
    },
    (event) => events.push(event),
    (error) => failures.push(error),
  );
  return { caller, emit, events, failures, fail: (error: Error) => fail?.(error) };
}

it('answers each call with its own result, and throws what the host threw, in its class', async () => {
  const { caller } = line();
  const [two, refused, four] = await Promise.allSettled([
    caller.call('double', 1),
    caller.call('refuse', 'too large'),
    caller.call('double', 2),
  ]);
  expect([two, four]).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'fulfilled', value: 4 },
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'too large' } });
  expect(refused.status === 'rejected' && refused.reason).toBeInstanceOf(LimitError);
});

it('gives the memory of a result away', async () => {
  const { caller } = line();
  expect(await caller.call('array', 3)).toEqual(Float64Array.of(1, 1, 1));
  expect(kept.at(-1)).toHaveLength(0);
});

it('reports events until it is closed, and rejects what waits then with the reason', async () => {
  const { caller, emit, events } = line();
  emit('first');
  await caller.call('double', 1);
  const waiting = caller.call('wait', undefined);
  const over = new Error('over');
  caller.close(over);
  emit('second');
  await expect(waiting).rejects.toBe(over);
  await expect(caller.call('double', 1)).rejects.toBe(over);
  expect(events).toEqual(['first']);
});

it('is closed by a host that breaks down, once', async () => {
  const { caller, failures, fail } = line();
  const waiting = caller.call('wait', undefined);
  const gone = new Error('the thread is gone');
  fail(gone);
  fail(new Error('again'));
  await expect(waiting).rejects.toBe(gone);
  expect(failures).toEqual([gone]);
});
