/** Work in a worker that ends with it, and what a browser's worker says of itself. */
import { describe, expect, it } from 'vitest';
import { inWorker, workerPort } from '../../../app/workers/worker-port.ts';
import { ScenarioError, serveCalls } from '../../../engine/index.ts';
import { wires } from './wires.ts';

// A type, not an interface: it has to be a record of functions.
type Commands = { readonly double: (value: number) => number; readonly answer: (text: string) => void };

const PROBLEMS = [
  { file: 'a.json', line: 2, column: 1, path: ['grid', 'nx'], message: 'first' },
  { path: [], message: 'second' },
];

/** A worker that doubles what it is given, after it was answered. */
function doubling() {
  const lines = wires<Commands, string>();
  let answered: ((text: string) => void) | undefined;
  const tell = serveCalls<Commands, string>(lines.worker, {
    async double(value) {
      if (value < 0) throw new ScenarioError(PROBLEMS);
      const text = await new Promise<string>((resolve) => {
        answered = resolve;
        tell('how often?');
      });
      return Number(text) * value;
    },
    answer: (text) => answered?.(text),
  });
  return lines;
}

describe('work in a worker', () => {
  it('gives what it makes, may ask meanwhile, and its worker ends', async () => {
    const { page, isTerminated } = doubling();
    const asked: string[] = [];
    const work = inWorker<Commands, string, number>(
      page,
      (caller) => caller.call('double', 21),
      (question, caller) => {
        asked.push(question);
        caller.send('answer', '2');
      },
    );
    expect(isTerminated()).toBe(false);
    expect(await work).toBe(42);
    expect([asked, isTerminated()]).toEqual([['how often?'], true]);
  });

  it('fails as it failed: problems of a scenario stay apart', async () => {
    const { page, isTerminated } = doubling();
    const work = inWorker<Commands, string, number>(page, (caller) => caller.call('double', -1));
    const failure: unknown = await work.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ScenarioError);
    expect((failure as ScenarioError).problems).toEqual(PROBLEMS);
    expect(isTerminated()).toBe(true);
  });

  it('fails when its worker breaks down', async () => {
    const { page, breakDown, isTerminated } = wires<Commands, string>();
    const work = inWorker<Commands, string, number>(page, (caller) => caller.call('double', 1));
    breakDown('out of memory');
    await expect(work).rejects.toThrow('out of memory');
    expect(isTerminated()).toBe(true);
  });
});

describe('the port of a worker', () => {
  it('says why it broke down, also where the browser does not', () => {
    const worker = new EventTarget();
    const told: string[] = [];
    workerPort(worker as Worker).onFailure(({ message }) => told.push(message));
    worker.dispatchEvent(Object.assign(new Event('error'), { message: 'x is not defined' }));
    worker.dispatchEvent(Object.assign(new Event('error'), { message: '' }));
    worker.dispatchEvent(new Event('messageerror'));
    expect(told).toEqual([
      'the worker broke down: x is not defined',
      'the worker broke down: its script could not be loaded',
      'the worker broke down: a message could not be read',
    ]);
  });
});
