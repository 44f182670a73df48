/**
 * What a thread of the `wasm` backend does all its life: it waits until there is a task, takes parts of it until none is left,
 * and waits again. It imports nothing, so that a host may start it in whatever way it starts threads.
 *
 * A task is a kernel, its parameters and a number of parts; which thread does a part does not matter to the numbers. The words
 * by which threads agree are in the shared memory, and are read and written atomically.
 */

/** Words of the control block. What a task is, is written before its gate opens, when all have left the one before. */
export const CONTROL = {
  /** Counts the tasks: threads wait on it. Then how many of them sleep. */
  signal: 0,
  signalSleepers: 1,
  /** GATE_OPEN while the task may be joined, plus the number of threads that have; the owner waits on it. Then whether it sleeps. */
  gate: 2,
  gateSleepers: 3,
  /** The next part that nobody has taken. */
  next: 4,
  parts: 5,
  /** Index into the kernels' names in alphabetical order. */
  kernel: 6,
  /** Address of the parameter block. */
  parameters: 7,
  /** Address of the first thread's work space, and bytes from one thread's to the next. */
  scratch: 8,
  scratchStride: 9,
  /** How many pages the memory has: a thread may have an older length of it in mind. */
  pages: 10,
  /** The first thread in which the task broke down, 0 where it did in none; then the part, and the length of its message. */
  failed: 11,
  failedPart: 12,
  failedUnits: 13,
  /** 1 when the backend is disposed of. */
  stop: 14,
  length: 15,
} as const;

/** A word that threads wait on; the one after it counts those that sleep. */
type Waited = typeof CONTROL.signal | typeof CONTROL.gate;

export const GATE_OPEN = 0x4000_0000;

/** Behind the words: the most UTF-16 code units of a breakdown's message. */
const FAILURE_UNITS = 2048;

/** Bytes of the control block. */
export const CONTROL_BYTES = 4 * CONTROL.length + 2 * FAILURE_UNITS;

/** How long a thread looks for what it waits for before it sleeps, milliseconds: about what it takes to wake one. */
const AWAKE = 0.03;
/** So many looks cost as much as one at the clock. */
const LOOKS = 64;

/** Waits until a word is no longer `value`. Most tasks follow another so soon that nobody has to be woken. */
export function waitWhile(control: Int32Array, word: Waited, value: number): void {
  const until = performance.now() + AWAKE;
  do {
    for (let look = 0; look < LOOKS; look++) if (Atomics.load(control, word) !== value) return;
  } while (performance.now() < until);
  Atomics.add(control, word + 1, 1);
  Atomics.wait(control, word, value);
  Atomics.sub(control, word + 1, 1);
}

/** Wakes at most so many of those that sleep until a word changes, which it has. Whoever is about to sleep sees that it has. */
export function wake(control: Int32Array, word: Waited, most: number): void {
  if (Atomics.load(control, word + 1) > 0) Atomics.notify(control, word, most);
}

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
      waitWhile(control, CONTROL.signal, seen);
      continue;
    }
    seen = signal;
    if (!join(control)) continue;
    const breakdown = takePart();
    if (breakdown) tell(control, breakdown);
    // The last to leave a closed gate wakes the owner.
    if (Atomics.sub(control, CONTROL.gate, 1) === 1) wake(control, CONTROL.gate, 1);
  }
}
