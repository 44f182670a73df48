/**
 * What a thread of the `wasm` backend does all its life: it sleeps until there is a task, takes parts of it until none is left,
 * and sleeps again. It imports nothing, so that a host may start it in whatever way it starts threads.
 *
 * A task is a kernel, its parameters and a number of parts; which thread does a part does not matter to the numbers. The words
 * by which threads agree lie in the shared memory, and are read and written atomically.
 */

/** Words of the control block. What a task is, is written before its gate opens, when all have left the one before. */
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
  /** How many pages the memory has: a thread may have an older length of it in mind. */
  pages: 8,
  /** The first thread in which the task broke down, 0 where it did in none; then the part, and the length of its message. */
  failed: 9,
  failedPart: 10,
  failedUnits: 11,
  /** 1 when the backend is disposed of. */
  stop: 12,
  length: 13,
} as const;

export const GATE_OPEN = 0x4000_0000;

/** Behind the words: the most UTF-16 code units of a breakdown's message. */
const FAILURE_UNITS = 2048;

/** Bytes of the control block. */
export const CONTROL_BYTES = 4 * CONTROL.length + 2 * FAILURE_UNITS;

/** What a thread receives when it starts. */
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

/** What a kernel threw, and where. */
export interface Breakdown {
  readonly thread: number;
  /** −1 before the first. */
  readonly part: number;
  readonly error: unknown;
}

/** Takes parts of the task until none is left. @returns what broke down; the thread takes no more parts then */
export function workOff(control: Int32Array, kernels: readonly Kernel[], thread: number): Breakdown | undefined {
  const kernel = kernels[control[CONTROL.kernel]];
  const parameters = control[CONTROL.parameters] >>> 0;
  const parts = control[CONTROL.parts];
  const scratch = (control[CONTROL.scratch] >>> 0) + thread * control[CONTROL.scratchStride];
  for (;;) {
    const part = Atomics.add(control, CONTROL.next, 1);
    if (part >= parts) return undefined;
    try {
      kernel(parameters, part, scratch);
    } catch (error) {
      return { thread, part, error };
    }
  }
}

function failureUnits(control: Int32Array): Uint16Array {
  return new Uint16Array(control.buffer, control.byteOffset + 4 * CONTROL.length, FAILURE_UNITS);
}

/** Notifies the owner, unless another thread has. */
function tell(control: Int32Array, { thread, part, error }: Breakdown): void {
  if (Atomics.compareExchange(control, CONTROL.failed, 0, thread) !== 0) return;
  // An engine begins the stack with the message, or omits it.
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const what = String(error);
  const text = stack.startsWith(what) ? stack : `${what}\n${stack}`;
  const units = failureUnits(control);
  const length = Math.min(text.length, units.length);
  for (let u = 0; u < length; u++) units[u] = text.charCodeAt(u);
  control[CONTROL.failedPart] = part;
  control[CONTROL.failedUnits] = length;
}

/** @returns the message of a thread other than the owner's about this task, once all have left it */
export function told(control: Int32Array): Breakdown | undefined {
  const thread = Atomics.load(control, CONTROL.failed);
  if (thread === 0) return undefined;
  const stack = String.fromCharCode(...failureUnits(control).subarray(0, control[CONTROL.failedUnits]));
  const [, name, message] = /^(\w+): (.*)/.exec(stack) ?? [undefined, 'Error', stack];
  const error = Object.assign(new Error(message), { name, stack });
  return { thread, part: control[CONTROL.failedPart], error };
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
  let pages = 0;
  const takePart = (): Breakdown | undefined => {
    try {
      // V8 notifies other threads late that memory has grown, and never one that was just receiving it: there the copies of whole
      // blocks, which are checked against the length, break down. To grow by nothing is to look.
      if (pages !== control[CONTROL.pages]) memory.grow(0);
      pages = control[CONTROL.pages];
    } catch (error) {
      return { thread, part: -1, error };
    }
    return workOff(control, kernels, thread);
  };
  while (Atomics.load(control, CONTROL.stop) === 0) {
    const signal = Atomics.load(control, CONTROL.signal);
    if (signal === seen) {
      Atomics.wait(control, CONTROL.signal, seen);
      continue;
    }
    seen = signal;
    if (!join(control)) continue;
    const breakdown = takePart();
    if (breakdown) tell(control, breakdown);
    // The last to leave a closed gate wakes the owner.
    if (Atomics.sub(control, CONTROL.gate, 1) === 1) Atomics.notify(control, CONTROL.gate);
  }
}
