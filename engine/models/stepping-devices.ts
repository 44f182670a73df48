/** What stepping operators share: in SIMD the length of the steps and their reports, on a GPU the buffers of `stepping.wgsl`. */
import type { Access, KernelBuilder } from '../compute/webgpu/program.ts';
import { uniformBlock } from '../compute/parameter-block.ts';
import { HEADROOM, LARGEST_COURANT, CLOCK, DIVERGENCE_KINDS, NONE, STATUS, TICKS, nextTicks } from './stepping.ts';
import type { StepParameters, Fault, StepBound, StepFields } from './stepping.ts';
import finiteSource from '../compute/webgpu/library/finite.wgsl?raw';
import source from './stepping.wgsl?raw';
import type { ArraysOf, RealArray } from '../compute/backend.ts';

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
