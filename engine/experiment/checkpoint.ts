/** What a run must keep so that it can continue as if it had never stopped. Random streams are counted, so they need nothing. */
import type { Backend, RealField } from '../compute/backend.ts';
import { ScenarioError } from '../errors.ts';
import { restateScenario, scenarioBefore, type Scenario } from '../scenario/index.ts';
import { randomStream } from '../random/stream.ts';

/**
 * @param change gives another value for one, with a sign drawn for it
 * @param draw another one draws other signs
 */
export function disturbed(
  { arrays, ...rest }: Checkpoint,
  change: (value: number, sign: number, array: string) => number,
  draw = 1,
): Checkpoint {
  const shifted = Object.entries(arrays).map(([name, values]) => {
    // A stream that no run has.
    const signs = randomStream(draw, `verification.${name}`);
    return [name, values.map((value) => change(value, Math.sign(signs.normal()), name))];
  });
  return { ...rest, arrays: Object.fromEntries(shifted) };
}

function isState(array: string): boolean {
  return array === 'truth' || array.startsWith('method.');
}

function byARounding(value: number, sign: number, array: string): number {
  return isState(array) ? value * (1 + sign * 2 ** -23) : value;
}

/**
 * The states of truth and methods wrong by one unit in the last place of float32; the rest of a checkpoint stays.
 *
 * @param draw of the signs
 */
export function wrongByARounding(checkpoint: Checkpoint, draw = 1): Checkpoint {
  return disturbed(checkpoint, byARounding, draw);
}

/** All that a run is made of between two cycles. */
export interface Checkpoint {
  /** The cycle that comes next. */
  readonly cycle: number;
  /**
   * States by name, exact: `truth` as its own model has it, `method.<label>` as the model moves it on, `drifters`;
   * `evidence.<label>`, by which a divergence is judged; of a method that has diverged `diverged.<label>`, the cycle, in place of its
   * state; `inflation.<label>`, of a method whose inflation adapts itself, the factor of the next analysis or one for every place;
   * `past.<label>` and `pastTruth.<label>`, of a smoother, the states of the cycles before, the latest first, and the truths of
   * then; `pace`, the wave rate that "auto" steps are made for, and `truthPace` where the truth has a model of its own.
   */
  readonly arrays: Readonly<Record<string, Float64Array>>;
  /** Hash of the scenario's numbers, the backend and its adapter; a checkpoint fits only its own. */
  readonly fingerprint: string;
}

/**
 * @param cycle the cycle that comes next: what is changed from then on has no part in the state
 * @returns a text that is the same for runs that give the same bits up to that cycle
 */
export function fingerprintOf(scenario: Scenario, backend: Pick<Backend, 'name' | 'adapter'>, cycle: number): string {
  const {
    $schema: _schema,
    title: _title,
    description: _description,
    lesson: _lesson,
    expected: _expected,
    branches: _branches,
    ...numbers
  } = scenarioBefore(scenario, cycle);
  return JSON.stringify([backend.name, backend.adapter, numbers]);
}

/** A fingerprint with the scenario in it in the present form; what is none is left as it is. */
function restated(fingerprint: string): string {
  try {
    const [name, adapter, numbers] = JSON.parse(fingerprint) as readonly unknown[];
    return JSON.stringify([name, adapter, restateScenario(numbers)]);
  } catch {
    return fingerprint;
  }
}

/** Whether a run of the scenario can continue from a checkpoint: it is of one that gives the same bits up to there. */
export function isOwnCheckpoint(
  { fingerprint, cycle }: Pick<Checkpoint, 'fingerprint' | 'cycle'>,
  scenario: Scenario,
  backend: Pick<Backend, 'name' | 'adapter'>,
): boolean {
  return restated(fingerprint) === fingerprintOf(scenario, backend, cycle);
}

/** @throws ScenarioError when the array is missing or of another size, or holds what no run can */
function arrayOf(checkpoint: Checkpoint | undefined, name: string, length: number): Float64Array {
  const arrays = checkpoint?.arrays ?? {};
  const found = Object.hasOwn(arrays, name) ? arrays[name] : undefined;
  if (found?.length !== length) {
    throw new ScenarioError([
      {
        path: [],
        message: `the checkpoint has ${found?.length ?? 'no'} numbers of ${name}, ${length} are needed; start a new run`,
      },
    ]);
  }
  const wrong = found.findIndex((value) => !Number.isFinite(value));
  if (wrong === -1) return found;
  throw new ScenarioError([
    {
      path: [],
      message: `the checkpoint has ${found[wrong]} in ${name} at ${wrong}, allowed: finite numbers; start a new run`,
    },
  ]);
}

/**
 * A truth is never without its water: the scheme has seen to it. Analyses may be, for the forecast that follows to find.
 *
 * @param cells how many depths are at the beginning of the truth
 * @throws ScenarioError when one of them is below 0
 */
export function assertDepths({ arrays }: Checkpoint, cells: number): void {
  const wrong = arrays['truth'].subarray(0, cells).findIndex((depth) => depth < 0);
  if (wrong === -1) return;
  throw new ScenarioError([
    {
      path: [],
      message: `the checkpoint has a depth of ${arrays['truth'][wrong]} m in truth at ${wrong}, allowed: at least 0; start a new run`,
    },
  ]);
}

/** Writes an array of a checkpoint back. @throws ScenarioError when it is missing or of another size, or holds what no run can */
export function restoreField(backend: Backend, checkpoint: Checkpoint, name: string, field: RealField): void {
  backend.write(field, arrayOf(checkpoint, name, field.length));
}

/**
 * Writes states of one length back that follow one another in an array of a checkpoint; without the array there are none.
 *
 * @param makeRoom for so many of them. @returns the fields of as many as there are
 * @throws ScenarioError when the array has no whole number of them, or holds what no run can
 */
export function restoreFields(
  backend: Backend,
  checkpoint: Checkpoint,
  name: string,
  length: number,
  makeRoom: (count: number) => readonly RealField[],
): void {
  if (!Object.hasOwn(checkpoint.arrays, name)) return;
  const count = Math.ceil(checkpoint.arrays[name].length / length);
  const all = arrayOf(checkpoint, name, count * length);
  for (const [index, field] of makeRoom(count).entries()) {
    backend.write(field, all.subarray(index * length, (index + 1) * length));
  }
}

/** @returns an array of any length. @throws ScenarioError when it is missing or empty, or holds what no run can */
export function numbersOf(checkpoint: Checkpoint, name: string): Float64Array {
  return arrayOf(checkpoint, name, Math.max(1, checkpoint.arrays[name]?.length ?? 0));
}

/** @returns an array of one number. @throws ScenarioError when it is missing */
export function numberOf(checkpoint: Checkpoint | undefined, name: string): number {
  return arrayOf(checkpoint, name, 1)[0];
}
