/**
 * What a thread of the `wasm` backend does all its life: it sleeps until there is a task, takes parts of it until none is left,
 * and sleeps again. It imports nothing, so that a host may start it in whatever way it starts threads.
 *
 * A task is a kernel, its parameters and a number of parts; which thread does a part does not matter to the numbers. The words
 * by which threads agree lie in the shared memory, and are read and written atomically.
 */

/** Words of the control block. */
export const CONTROL = {
  /** Counts the tasks: threads sleep on it. */
  signal: 0,
  /** GATE_OPEN while the task may be joined, plus the number of threads that have; the owner sleeps on it. */
  gate: 1,
  /** The next part that nobody has taken. */
  next: 2,
  parts: 3,
  /** Index into the kernels' names in alphabetical order. */
  kernel: 4,
  /** Address of the parameter block. */
  parameters: 5,
  /** Address of the first thread's work space, and bytes from one thread's to the next. */
  scratch: 6,
  scratchStride: 7,
  /** 1 when a kernel has trapped. */
  failed: 8,
  /** 1 when the backend is disposed of. */
  stop: 9,
  length: 10,
} as const;

export const GATE_OPEN = 0x4000_0000;

/** What a thread is told when it starts. */
export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Address of the control block. */
  readonly control: number;
  /** From 1 on; 0 is the owner of the backend. */
  readonly thread: number;
}

/** Address of a parameter block, number of the part, address of the thread's work space. */
export type Kernel = (parameters: number, part: number, scratch: number) => void;

/** The kernels of a module by index, in an order that all threads agree on. */
export function kernelsOf(instance: WebAssembly.Instance): { readonly names: string[]; readonly kernels: Kernel[] } {
  const names = Object.keys(instance.exports)
    .filter((name) => typeof instance.exports[name] === 'function')
    .sort();
  return { names, kernels: names.map((name) => instance.exports[name] as Kernel) };
}

/** Takes parts of the task until none is left. */
export function workOff(control: Int32Array, kernels: readonly Kernel[], thread: number): void {
  const kernel = kernels[control[CONTROL.kernel]];
  const parameters = control[CONTROL.parameters] >>> 0;
  const parts = control[CONTROL.parts];
  const scratch = (control[CONTROL.scratch] >>> 0) + thread * control[CONTROL.scratchStride];
  for (;;) {
    const part = Atomics.add(control, CONTROL.next, 1);
    if (part >= parts) return;
    kernel(parameters, part, scratch);
  }
}

/** @returns whether this thread may work on the task: not once its owner has closed it */
function join(control: Int32Array): boolean {
  for (;;) {
    const gate = Atomics.load(control, CONTROL.gate);
    if ((gate & GATE_OPEN) === 0) return false;
    if (Atomics.compareExchange(control, CONTROL.gate, gate, gate + 1) === gate) return true;
  }
}

/** Works until the backend is disposed of. The memory must be shared. */
export function runThread({ module, memory, control: address, thread }: ThreadStart): void {
  const { kernels } = kernelsOf(new WebAssembly.Instance(module, { env: { memory } }));
  const control = new Int32Array(memory.buffer, address, CONTROL.length);
  let seen = 0;
  while (Atomics.load(control, CONTROL.stop) === 0) {
    const signal = Atomics.load(control, CONTROL.signal);
    if (signal === seen) {
      Atomics.wait(control, CONTROL.signal, seen);
      continue;
    }
    seen = signal;
    if (!join(control)) continue;
    try {
      workOff(control, kernels, thread);
    } catch {
      Atomics.store(control, CONTROL.failed, 1);
    }
    // The last to leave a closed gate wakes the owner.
    if (Atomics.sub(control, CONTROL.gate, 1) === 1) Atomics.notify(control, CONTROL.gate);
  }
}
