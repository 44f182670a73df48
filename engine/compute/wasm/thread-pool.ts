/**
 * Threads that carry out the kernels of the `wasm` backend, beside the one that owns it. The owner takes part in every task and
 * goes on when all parts are done; nobody spins. What a part computes does not depend on who does it, or on how many there are.
 */
import { BackendError } from '../../errors.ts';
import type { KernelMemory } from './memory.ts';
import type { Sharing } from './sharing.ts';
import { CONTROL, GATE_OPEN, kernelsOf, workOff } from './thread-loop.ts';
import type { Kernel, ThreadStart } from './thread-loop.ts';

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
  /** From now on every thread has at least so many bytes of work space, aligned to 64. */
  reserveScratch(bytes: number): void;
  /**
   * Runs a kernel for the parts 0 … parts − 1, in any order.
   *
   * @param sharing decides whether others take part; they do where it is left out
   * @throws BackendError when it traps
   */
  run(kernel: number, parameters: number, parts: number, sharing?: Sharing): void;
  dispose(): void;
}

const ALIGNMENT = 64;

function failed(): BackendError {
  return new BackendError('a kernel of the wasm backend broke down; --backend reference runs without it');
}

/** @param start starts one more thread */
export function createThreadPool(
  module: WebAssembly.Module,
  memory: KernelMemory,
  threads: number,
  start: () => KernelThread,
): ThreadPool {
  const { names, kernels } = kernelsOf(new WebAssembly.Instance(module, { env: { memory: memory.memory } }));
  const block = memory.allocate('thread control', 4 * CONTROL.length);
  // Memory that is shared does not move when it grows; without other threads nobody reads the block.
  const words = new Int32Array(memory.memory.buffer, block.address, CONTROL.length);
  let scratch: ReturnType<KernelMemory['allocate']> | undefined;
  let scratchStride = 0;
  const others = Array.from({ length: threads - 1 }, (_, index) => {
    const thread = start();
    thread.post({ module, memory: memory.memory, control: block.address, thread: index + 1 });
    return thread;
  });

  /** The owner alone. */
  const runHere = (kernel: Kernel, parameters: number, parts: number): void => {
    const own = scratch?.address ?? 0;
    for (let part = 0; part < parts; part++) kernel(parameters, part, own);
  };

  const runTogether = (kernel: number, parameters: number, parts: number): void => {
    words[CONTROL.kernel] = kernel;
    words[CONTROL.parameters] = parameters;
    words[CONTROL.parts] = parts;
    words[CONTROL.scratch] = scratch?.address ?? 0;
    words[CONTROL.scratchStride] = scratchStride;
    Atomics.store(words, CONTROL.next, 0);
    Atomics.store(words, CONTROL.gate, GATE_OPEN);
    Atomics.add(words, CONTROL.signal, 1);
    Atomics.notify(words, CONTROL.signal, parts - 1);
    try {
      workOff(words, kernels, 0);
    } finally {
      Atomics.and(words, CONTROL.gate, ~GATE_OPEN);
      for (;;) {
        const inside = Atomics.load(words, CONTROL.gate);
        if (inside === 0) break;
        Atomics.wait(words, CONTROL.gate, inside);
      }
    }
    if (Atomics.load(words, CONTROL.failed) !== 0) throw failed();
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
      scratch = memory.allocate('work space of the threads', threads * stride);
      scratchStride = stride;
    },
    run(kernel, parameters, parts, sharing) {
      const alone = (): void => runHere(kernels[kernel], parameters, parts);
      const together = (): void => runTogether(kernel, parameters, parts);
      try {
        if (others.length === 0 || parts === 1) alone();
        else if (sharing) sharing.run(alone, together);
        else together();
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw failed();
        throw error;
      }
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
