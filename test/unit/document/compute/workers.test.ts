/** The page's end of a worker that computes, with workers that do nothing by themselves. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRunWorkers } from '../../../../app/document/compute/early-worker.ts';
import { computingPort } from '../../../../app/document/compute/workers.ts';

class IdleWorker extends EventTarget {
  readonly posted: unknown[] = [];
  isTerminated = false;
  readonly name: string;

  constructor(_script: URL, { name }: { readonly name: string }) {
    super();
    this.name = name;
    made.push(this);
  }

  postMessage(message: unknown): void {
    this.posted.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
}

let made: IdleWorker[] = [];
beforeEach(() => {
  made = [];
  vi.stubGlobal('Worker', IdleWorker);
});
afterEach(() => vi.unstubAllGlobals());

function open() {
  const worker = new IdleWorker(new URL('file:///run-worker.js'), { name: 'wasm' });
  const heard: unknown[] = [];
  const port = computingPort(worker as unknown as Worker, (why) => new Error(why));
  port.listen((message) => heard.push(message));
  return { worker, port, heard };
}

it('starts the threads that the worker asks for, hands them what they work on, and ends them with it', () => {
  const { worker, port, heard } = open();
  worker.say('of the run');
  worker.say({ kernelThread: 'first' });
  worker.say({ kernelThread: 'second' });
  worker.say(null);
  expect(heard).toEqual(['of the run', null]);
  expect(made.map(({ name, posted }) => [name, posted])).toEqual([
    ['wasm', []],
    ['shoal kernels', ['first']],
    ['shoal kernels', ['second']],
  ]);
  expect(made.some(({ isTerminated }) => isTerminated)).toBe(false);
  port.close();
  expect(made.every(({ isTerminated }) => isTerminated)).toBe(true);
});

it('starts no thread for a worker that has ended', () => {
  const { worker, port } = open();
  port.close();
  worker.say({ kernelThread: 'late' });
  expect(made).toEqual([worker]);
});

it('starts a worker for the first run at once, and hands it out once', () => {
  const workers = createRunWorkers();
  const [first] = made;
  expect(first.name).toBe('wasm');
  expect(workers.take('wasm')).toBe(first);
  const second = workers.take('wasm');
  expect(second).not.toBe(first);
  workers.end();
  expect(made.map(({ isTerminated }) => isTerminated)).toEqual([false, false]);
});

it.each<readonly [string, (workers: ReturnType<typeof createRunWorkers>, first: IdleWorker) => void]>([
  ['is not wanted', (workers) => workers.end()],
  ['opens another backend', (workers) => void workers.take('reference')],
  ['cannot be loaded', (_workers, first) => void first.dispatchEvent(new Event('error'))],
])('ends the first worker if it %s', (_why, happen) => {
  const workers = createRunWorkers();
  const [first] = made;
  happen(workers, first);
  expect(first.isTerminated).toBe(true);
  expect(workers.take('wasm')).not.toBe(first);
});
