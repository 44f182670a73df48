/**
 * Threads that carry out the kernels of the `wasm` backend, beside the one that owns it. The owner takes part in every task and
 * continues when all parts are done. Whoever waits looks for a moment whether there is something to do, and then sleeps. What a part
 * computes does not depend on who does it, or on how many there are.
 */
import { BackendError } from '../../errors.ts';
import type { KernelMemory, MemoryBlock } from './memory.ts';
import { CONTROL, CONTROL_BYTES, GATE_OPEN, kernelsOf, told, waitWhile, wake, workOff } from './thread-loop.ts';
import type { Breakdown, ThreadStart } from './thread-loop.ts';

/** What takes a thread no longer than this is not shared, milliseconds. */
const SHORT = 0.04;
/** Beyond this nothing is tried again: code is compiled better while it runs, but not by so much. */
const LONG = 0.5;

/** One kind of task, from run to run. */
export interface Sharing {
  /** Does the next run, alone or together. */
  run(alone: () => void, together: () => void): void;
}

/**
 * Whether a task is worth sharing between threads. To wake another one takes some hundredths of a millisecond, in which a short
 * task is done by whoever has it. Who does a part changes no number, so that the clock may decide.
 */
export function createSharing(now: () => number = () => performance.now()): Sharing {
  let milliseconds = 0;
  let runs = 0;
  let nextTrial = 1;
  return {
    run(alone, together) {
      const isTrial = runs === nextTrial && milliseconds <= LONG;
      if (runs === nextTrial) nextTrial *= 2;
      runs += 1;
      if (milliseconds > SHORT && !isTrial) {
        together();
        return;
      }
      const begin = now();
      alone();
      milliseconds = now() - begin;
    },
  };
}

/** A thread that runs `runThread` on what is posted to it. */
export interface KernelThread {
  post(start: ThreadStart): void;
  close(): void;
}

export interface ThreadPool {
  /** How many work on a task, with the owner. */
  readonly threads: number;
  /** @returns the index of a kernel. @throws BackendError where the module has none of this name */
  kernelNamed(name: string): number;
  /**
   * From now on every thread has at least so many bytes of work space, aligned to 64.
   *
   * @throws LimitError if there is no room; then it is as before
   */
  reserveScratch(bytes: number): void;
  /**
   * Runs a kernel for the parts 0 … parts − 1, in any order.
   *
   * @param sharing decides whether others take part; they do if omitted
   * @throws BackendError when it breaks down, with what it threw as its cause; the pool continues
   */
  run(kernel: number, parameters: number, parts: number, sharing?: Sharing): void;
  dispose(): void;
}

const ALIGNMENT = 64;

/** @param threads how many there are */
function brokeDown(kernel: string, parts: number, threads: number, { thread, part, error }: Breakdown): BackendError {
  const where = `part ${part + 1} of ${parts}, thread ${thread + 1} of ${threads}`;
  return new BackendError(
    `a kernel of the wasm backend broke down: ${kernel}, ${where}: ${String(error)}; --backend reference runs without it`,
    { cause: error },
  );
}

/** @param start starts one more thread */
export function createThreadPool(
  module: WebAssembly.Module,
  memory: KernelMemory,
  threads: number,
  start: () => KernelThread,
): ThreadPool {
  const { names, kernels } = kernelsOf(new WebAssembly.Instance(module, { env: { memory: memory.memory } }));
  const block = memory.allocate('thread control', CONTROL_BYTES);
  // Memory that is shared does not move when it grows; without other threads nobody reads the block.
  const words = new Int32Array(memory.memory.buffer, block.address, CONTROL.length);
  let scratch: MemoryBlock | undefined;
  let scratchStride = 0;
  const others = Array.from({ length: threads - 1 }, (_, index) => {
    const thread = start();
    thread.post({ module, memory: memory.memory, control: block.address, thread: index + 1 });
    return thread;
  });

  const allocateScratch = (each: number): MemoryBlock => memory.allocate('work space of the threads', threads * each);

  /** The owner alone. */
  const runHere = (kernel: number, parameters: number, parts: number): void => {
    const work = kernels[kernel];
    const own = scratch?.address ?? 0;
    let part = 0;
    try {
      for (; part < parts; part++) work(parameters, part, own);
    } catch (error) {
      throw brokeDown(names[kernel], parts, threads, { thread: 0, part, error });
    }
  };

  const runTogether = (kernel: number, parameters: number, parts: number): void => {
    words[CONTROL.kernel] = kernel;
    words[CONTROL.parameters] = parameters;
    words[CONTROL.parts] = parts;
    words[CONTROL.scratch] = scratch?.address ?? 0;
    words[CONTROL.scratchStride] = scratchStride;
    words[CONTROL.pages] = memory.pages();
    words[CONTROL.failed] = 0;
    Atomics.store(words, CONTROL.next, 0);
    Atomics.store(words, CONTROL.gate, GATE_OPEN);
    Atomics.add(words, CONTROL.signal, 1);
    wake(words, CONTROL.signal, parts - 1);
    const own = workOff(words, kernels, 0);
    Atomics.and(words, CONTROL.gate, ~GATE_OPEN);
    for (;;) {
      const inside = Atomics.load(words, CONTROL.gate);
      if (inside === 0) break;
      waitWhile(words, CONTROL.gate, inside);
    }
    const breakdown = own ?? told(words);
    if (breakdown) throw brokeDown(names[kernel], parts, threads, breakdown);
  };

  return {
    threads,
    kernelNamed(name) {
      const index = names.indexOf(name);
      if (index < 0) throw new BackendError(`the wasm backend has no kernel ${name}`);
      return index;
    },
    reserveScratch(bytes) {
      const stride = ALIGNMENT * Math.ceil(bytes / ALIGNMENT);
      if (stride <= scratchStride) return;
      scratch?.free();
      try {
        scratch = allocateScratch(stride);
        scratchStride = stride;
      } catch (error) {
        // Nobody has taken what was just given back.
        if (scratch) scratch = allocateScratch(scratchStride);
        throw error;
      }
    },
    run(kernel, parameters, parts, sharing) {
      const alone = (): void => runHere(kernel, parameters, parts);
      const together = (): void => runTogether(kernel, parameters, parts);
      if (others.length === 0 || parts === 1) alone();
      else if (sharing) sharing.run(alone, together);
      else together();
    },
    dispose() {
      if (others.length === 0) return;
      Atomics.store(words, CONTROL.stop, 1);
      Atomics.add(words, CONTROL.signal, 1);
      Atomics.notify(words, CONTROL.signal);
      for (const thread of others) thread.close();
    },
  };
}
