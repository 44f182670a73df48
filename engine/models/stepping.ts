/**
 * What the steps of all models have in common: the fields of a stepping operator, the layout of its status and clock, the
 * choice of the step's length, and the drivers: of the reference implementations, in SIMD with its reports, and on a GPU with the
 * buffers of `stepping.wgsl`. A run of a stepping operator is up to
 * `steps` steps; it stops changing the state after the first step that went wrong, and when no time remains.
 */
import type { ArraysOf, RealArray } from '../compute/backend.ts';
import type { Divergence } from '../errors.ts';
import type { Access, KernelBuilder } from '../compute/webgpu/program.ts';
import { uniformBlock } from '../compute/parameter-block.ts';
import finiteSource from '../compute/webgpu/library/finite.wgsl?raw';
import source from './stepping.wgsl?raw';

/** `state` is [member][variable][y][x]; the other two are laid out as below. */
export const STEP_FIELDS = { state: 'real', status: 'index', clock: 'real' } as const;
export type StepFields = typeof STEP_FIELDS;

/** In an index field: none. */
export const NONE = 0xffff_ffff;

/**
 * Words of the status. Between runs the first of three slots counts; inside a run on a GPU step s reads slot s mod 3, writes
 * the next and clears the one after, so that no invocation reads what another one writes.
 */
export const STATUS = {
  /** First step that went wrong, or NONE. */
  badStep: 0,
  /** Lowest member · cells + cell of that step that is wrong, or NONE. */
  badPlace: 1,
  /** Index into DIVERGENCE_KINDS; NONE until the fault is described. */
  kind: 2,
  variable: 3,
  /** Steps since the last check, three slots. */
  steps: 4,
  /** Largest wave rate, 1/s, as the bits of a float32, three slots. */
  rate: 7,
  /** With "auto": what remains of this forecast, in ticks of the shortest step, three slots. */
  remaining: 10,
  /** With "auto": what is to remain when steps end for now, a multiple of TICKS. */
  until: 13,
  length: 16,
} as const;

/** @returns the status before the first step */
export function freshStatus(): Uint32Array {
  const words = new Uint32Array(STATUS.length);
  words[STATUS.badStep] = NONE;
  words[STATUS.badPlace] = NONE;
  words[STATUS.kind] = NONE;
  return words;
}

/** Reals of the clock. */
export const CLOCK = {
  /** With "auto": the longest step of this forecast, seconds. */
  longest: 0,
  /** Offending value. */
  value: 1,
  /** Length of the last step, seconds. */
  timeStep: 2,
  length: 4,
} as const;

export const DIVERGENCE_KINDS: readonly Divergence['kind'][] = [
  'not-finite',
  'negative-depth',
  'courant',
  'step-too-short',
];

/**
 * With "auto" a forecast is divided into equal steps, long enough for the waves that the run began with. A step whose waves
 * are faster is halved, up to so many times; what needs yet shorter ones has diverged.
 */
const HALVINGS = 6;
/** Ticks in the longest step: the shortest is one tick long. */
export const TICKS = 2 ** HALVINGS;
/** Share by which waves may cross more of a cell than `courant` before a step is halved. */
const HEADROOM = 0.25;

/**
 * Courant number above which a forecast with a fixed step is stopped. No scheme is stable above 1; a crest that piles up in a
 * corner may exceed that in one cell for some steps and come to nothing, while a step that is too long for the basin grows
 * past 2 at once.
 */
const LARGEST_COURANT = 2;

export interface StepParameters {
  readonly members: number;
  /** Steps of one run. */
  readonly steps: number;
  /** Seconds, or "auto". */
  readonly timeStep: number | 'auto';
  /** With "auto": largest share of a cell that a wave may cross in a step, before HEADROOM. */
  readonly courant: number;
  /** With "auto": whether the run begins a forecast, and the wave rate is not known from the run before. */
  readonly begins: boolean;
  /**
   * Whether the last member goes with the others but is none of them: it has a status and a clock of its own, which follow theirs.
   * Of water with a fixed step on a GPU, where runs of few cells take as long as those of many.
   */
  readonly companion?: boolean;
}

/** The longest step that a state is allowed to ask for without having diverged: of `seconds`, up to a Courant number. */
export interface StepBound {
  readonly kind: 'courant' | 'step-too-short';
  /** Seconds; 0 where any wave is allowed. */
  readonly seconds: number;
  readonly courant: number;
}

/** What is wrong with a state, and where. */
export interface Fault {
  /** member · cells + cell */
  readonly place: number;
  readonly kind: Divergence['kind'];
  readonly variable: number;
  readonly value: number;
}

/** One model's mathematics on one ensemble, as the reference driver needs it. */
export interface Stepper {
  /** Largest wave rate of the ensemble, 1/s. */
  waveRate(): number;
  /** One step of `seconds`, in place. */
  step(seconds: number): void;
  /** The fault of the lowest place, if there is one, after a step. */
  fault(bound: StepBound): Fault | undefined;
}

/**
 * Ticks of the next step with "auto": the longest step, halved until a wave of `rate` crosses no more than `courant` and its
 * headroom, and until it ends where steps of its length end when counted from the end of the forecast. It follows from the
 * state alone and from where in the forecast it is, so that no forecast depends on the one before.
 *
 * @param remaining ticks, above 0
 * @param longest seconds of TICKS ticks
 */
export function nextTicks(rate: number, remaining: number, longest: number, courant: number): number {
  let ticks = TICKS;
  let seconds = longest;
  // Negated, so that a rate that is no number takes the shortest step and is found after it.
  while (ticks > 1 && (!(rate * seconds <= courant * (1 + HEADROOM)) || remaining % ticks !== 0)) {
    ticks /= 2;
    seconds /= 2;
  }
  return ticks;
}

/** The reference implementation of a stepping operator. */
export function referenceSteps(
  { steps, timeStep, courant }: StepParameters,
  stepperOf: (state: RealArray) => Stepper,
): (arrays: ArraysOf<StepFields>) => void {
  return ({ state, status, clock }) => {
    const stepper = stepperOf(state);
    for (let s = 0; s < steps && status[STATUS.badStep] === NONE; s++) {
      let seconds: number;
      let bound: StepBound;
      if (timeStep === 'auto') {
        const remaining = status[STATUS.remaining];
        if (remaining <= status[STATUS.until]) return;
        const tick = clock[CLOCK.longest] / TICKS;
        const ticks = nextTicks(stepper.waveRate(), remaining, clock[CLOCK.longest], courant);
        seconds = ticks * tick;
        status[STATUS.remaining] = remaining - ticks;
        bound = { kind: 'step-too-short', seconds: tick, courant: courant * (1 + HEADROOM) };
      } else {
        seconds = timeStep;
        bound = { kind: 'courant', seconds, courant: LARGEST_COURANT };
      }
      // The length is what the clock can hold of it: a fixed step is the one that "auto" takes, in either precision.
      clock[CLOCK.timeStep] = seconds;
      stepper.step(clock[CLOCK.timeStep]);
      const fault = stepper.fault(bound);
      if (fault) {
        status[STATUS.badStep] = status[STATUS.steps];
        status[STATUS.badPlace] = fault.place;
        status[STATUS.kind] = DIVERGENCE_KINDS.indexOf(fault.kind);
        status[STATUS.variable] = fault.variable;
        clock[CLOCK.value] = fault.value;
      }
      status[STATUS.steps] += 1;
    }
  };
}

/** What came of some steps of an ensemble. */
export interface StepsTaken {
  /** With the one that went wrong. */
  readonly steps: number;
  readonly fault?: Fault;
}

/** One model's kernels, as the driver needs them. */
interface KernelStepper {
  /** Largest wave rate of the ensemble, 1/s. */
  waveRate(state: RealArray): number;
  /** Up to `count` steps of `seconds` each, in place; none after the first that went wrong in any member. */
  advance(state: RealArray, count: number, seconds: number, bound: StepBound): StepsTaken;
}

/** As `referenceSteps`, but steps of a fixed length are taken together. */
export function wasmSteps(
  { steps, timeStep, courant }: StepParameters,
  stepper: KernelStepper,
): (arrays: ArraysOf<StepFields>) => void {
  return ({ state, status, clock }) => {
    /** @returns whether they went well */
    const advance = (count: number, seconds: number, bound: StepBound): boolean => {
      // The length is what the clock can hold of it: a fixed step is the one that "auto" takes, in either precision.
      clock[CLOCK.timeStep] = seconds;
      const { steps: taken, fault } = stepper.advance(state, count, clock[CLOCK.timeStep], bound);
      if (fault) {
        status[STATUS.badStep] = status[STATUS.steps] + taken - 1;
        status[STATUS.badPlace] = fault.place;
        status[STATUS.kind] = DIVERGENCE_KINDS.indexOf(fault.kind);
        status[STATUS.variable] = fault.variable;
        clock[CLOCK.value] = fault.value;
      }
      status[STATUS.steps] += taken;
      return !fault;
    };
    if (status[STATUS.badStep] !== NONE) return;
    if (timeStep !== 'auto') {
      advance(steps, timeStep, { kind: 'courant', seconds: timeStep, courant: LARGEST_COURANT });
      return;
    }
    for (let s = 0; s < steps; s++) {
      const remaining = status[STATUS.remaining];
      if (remaining <= status[STATUS.until]) return;
      const tick = clock[CLOCK.longest] / TICKS;
      const ticks = nextTicks(stepper.waveRate(state), remaining, clock[CLOCK.longest], courant);
      status[STATUS.remaining] = remaining - ticks;
      if (!advance(1, ticks * tick, { kind: 'step-too-short', seconds: tick, courant: courant * (1 + HEADROOM) }))
        return;
    }
  };
}

/** Words of a report by a part of a stepping kernel: step, cell, kind, variable, value; the step is −1 if nothing is wrong. */
const REPORT_WORDS = 8;

/** How the members' rows are divided into parts of a task. */
export interface Bands {
  /** Bands of each member. */
  readonly bands: number;
  readonly rowsPerBand: number;
  readonly parts: number;
}

/** Members enough that each is a part of its own. */
const MANY_MEMBERS = 8;
/** Cells of a band, about, where a member is more than one; and of a member that is not worth dividing. */
const BAND_CELLS = 16_384;
const LEAST_ROWS = 8;

/** A member is a single band, and takes all steps by itself, if there are many of them or where it is small. */
export function bandsOf({ nx, ny, members }: { nx: number; ny: number; members: number }): Bands {
  if (members >= MANY_MEMBERS || nx * ny <= BAND_CELLS) return { bands: 1, rowsPerBand: ny, parts: members };
  const rowsPerBand = Math.max(LEAST_ROWS, Math.ceil(BAND_CELLS / nx));
  const bands = Math.ceil(ny / rowsPerBand);
  return { bands, rowsPerBand, parts: bands * members };
}

/** Boundaries as the kernels know them. */
export const BOUNDARY_CODES = { wall: 0, periodic: 1, open: 2 } as const;

/**
 * All steps of members that are a part each. A member that goes wrong goes no further; the others are then taken back to where
 * they were before, and stopped at the same step.
 *
 * @param before room for the state before; undefined where no member can go further than another
 * @param run takes so many steps of every member
 */
export function takeTogether(
  state: RealArray,
  count: number,
  before: Float32Array | undefined,
  reports: Reports,
  run: (steps: number) => void,
): StepsTaken {
  before?.set(state);
  run(count);
  const wrong = reports.first();
  if (!wrong) return { steps: count };
  if (before && wrong.step + 1 < count) {
    state.set(before);
    run(wrong.step + 1);
  }
  return { steps: wrong.step + 1, fault: wrong.fault };
}

export interface Reports {
  /** The earliest step that went wrong, and of it the lowest member and cell; undefined if none did. */
  first(): { readonly step: number; readonly fault: Fault } | undefined;
  /** The largest of the parts' first reals, which is not a number where one of them is not. */
  largest(): number;
}

/** The reports of the parts of a stepping kernel. */
export function createReports(buffer: () => Uint32Array, { bands, parts }: Bands, cells: number): Reports {
  return {
    first() {
      const words = buffer();
      const reals = new Float32Array(words.buffer, words.byteOffset, words.length);
      let first: { step: number; fault: Fault } | undefined;
      for (let part = 0; part < parts; part++) {
        const [step, cell, kind, variable] = words.subarray(REPORT_WORDS * part);
        if (step === NONE || (first && first.step <= step)) continue;
        const place = Math.floor(part / bands) * cells + cell;
        const value = reals[REPORT_WORDS * part + 4];
        first = { step, fault: { place, kind: DIVERGENCE_KINDS[kind], variable, value } };
      }
      return first;
    },
    largest() {
      const words = buffer();
      const reals = new Float32Array(words.buffer, words.byteOffset, words.length);
      let largest = 0;
      for (let part = 0; part < parts; part++) largest = Math.max(largest, reals[REPORT_WORDS * part]);
      return largest;
    },
  };
}

/** @returns how many words the reports of so many parts take */
export function reportWords({ parts }: Bands): number {
  return REPORT_WORDS * parts;
}

const STEPPING = uniformBlock('Stepping', {
  /** Seconds; not used with "auto". */
  timeStep: 'f32',
  /** Courant number up to which a step may go with "auto", and above which a forecast with a fixed one is stopped. */
  courant: 'f32',
  automatic: 'u32',
  /** Members that share a status; a companion follows them. */
  together: 'u32',
});

/** Which slot of the status a step reads. */
const SLOT = uniformBlock('Slot', { index: 'u32' });

/** The code of bindings 0 to 3, and what kernels do with them. */
export const steppingSource = `${STEPPING.wgsl}${SLOT.wgsl}${finiteSource}${source}`;

/** Bindings 0 to 3. */
export const STEPPING_BINDINGS: readonly Access[] = ['uniform', 'uniform', 'write', 'write'];

interface StepFieldBuffers {
  readonly status: GPUBuffer;
  readonly clock: GPUBuffer;
}

/** @returns the buffers of bindings 0 to 3, for step `s` of a run */
export function steppingBuffers(
  builder: KernelBuilder,
  { members, timeStep, courant, companion }: StepParameters,
): (s: number, fields: StepFieldBuffers) => readonly GPUBuffer[] {
  const stepping = builder.uniform('stepping', STEPPING, {
    timeStep: timeStep === 'auto' ? 0 : timeStep,
    courant: timeStep === 'auto' ? courant * (1 + HEADROOM) : LARGEST_COURANT,
    automatic: timeStep === 'auto' ? 1 : 0,
    together: companion ? members - 1 : members,
  });
  const slots = [0, 1, 2].map((slot) => builder.uniform(`slot-${slot}`, SLOT, { index: slot }));
  return (s, { status, clock }) => [stepping, slots[s % slots.length], status, clock];
}
