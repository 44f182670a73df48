/** Small twin experiments, run to a cycle: what they said, and the states that they left. */
import type { Backend } from '../../compute/backend.ts';
import { createExperiment, disturbed } from '../../experiment/index.ts';
import type { Checkpoint, CycleDiagnostics, Experiment } from '../../experiment/index.ts';
import { NO_FILES, validateScenario, type Scenario, type ScenarioInput } from '../../scenario/index.ts';

/** What a scenario file holds, but for its version. */
export type TwinInput = Omit<ScenarioInput, 'version'>;

/**
 * A small experiment with something of everything: a rotating channel with a hill, drops that fall on the truth and on each
 * member, gauges and buoys that drift, whose velocities are nonlinear in the state, a free run, 3D-Var, LETKF and EnKF.
 */
export const everything: TwinInput = {
  name: 'everything',
  grid: { nx: 9, ny: 8, dx: 1, dy: 1 },
  model: {
    scheme: 'central-upwind',
    timeStep: 0.1,
    coriolis: { f: 0.5 },
    boundary: { x: 'periodic', y: 'wall' },
    bathymetry: { kind: 'bump', depth: 1, height: 0.4, width: 3 },
  },
  truth: {
    initial: { kind: 'drops', count: 2, amplitude: [0.05, 0.2], width: 6 },
    spinup: 0.5,
    forcing: { kind: 'drops', every: 4, count: 2, amplitude: [-0.05, 0.05], width: 6, seenBy: 'each' },
  },
  background: { initial: { kind: 'drops', count: 2, amplitude: [0.05, 0.2], width: 6 }, members: 6 },
  observations: [
    {
      name: 'gauges',
      variable: 'eta',
      network: { kind: 'regular', stride: [4, 3], offset: [1, 1] },
      errorStandardDeviation: 0.02,
      dropout: 0.1,
    },
    {
      name: 'buoys',
      variable: 'u',
      network: { kind: 'drifters', count: 5 },
      errorStandardDeviation: 0.05,
      every: 2,
    },
  ],
  methods: [
    { kind: 'free-run' },
    {
      kind: '3dvar',
      covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } },
      minimisation: { tolerance: 1e-6, maxIterations: 60 },
    },
    { kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.05, rotation: true },
    { kind: 'enkf', localisation: { halfWidth: 3 }, relaxation: { kind: 'spread', factor: 0.3 } },
  ],
  experiment: { cycles: 40, window: 0.5, spinup: 5 },
};

/** A scenario as a file would hold it, with every default filled in. */
export function scenarioOf(input: TwinInput): Scenario {
  return validateScenario({ version: 3, ...input }, input.name).scenario;
}

export interface Twin {
  readonly experiment: Experiment;
  /** Diagnostics of all cycles and methods so far, in the order of completion. */
  readonly diagnostics: readonly CycleDiagnostics[];
  /** Runs until cycle `cycle` comes next. */
  readonly runTo: (cycle: number) => Promise<void>;
}

/** A run of the scenario; the caller disposes its experiment. */
export async function twin(backend: Backend, scenario: Scenario, checkpoint?: Checkpoint): Promise<Twin> {
  const diagnostics: CycleDiagnostics[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    checkpoint,
    listener: (event) => {
      if (event.type === 'diagnostics') diagnostics.push(event.diagnostics);
    },
  });
  return {
    experiment,
    diagnostics,
    runTo: async (cycle) => {
      while (experiment.nextCycle < cycle) await experiment.step();
    },
  };
}

const EPSILON = 2 ** -24;

/** The same basin with a flat bottom and without rotation, whose state is the depth of some 1 m. */
const flatBottom: TwinInput = {
  ...everything,
  model: { scheme: 'richtmyer', timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' } },
};

/**
 * Every backend gives the same run as the reference: the truth and every method's ensemble differ by what float32 rounds, as far
 * as the run itself makes it grow.
 *
 * How far that is, is measured in float64: a second run starts from states that are wrong by one rounding, 2⁻²⁴, everywhere,
 * and G(n) is the growth of its largest difference by cycle n (below 1 where observations pull runs together). Every cycle adds
 * roundings of its own, ρ, so that the difference after n cycles is at most ρ Σ G(m), m from 0 to n.
 */
interface AgreementProblem {
  readonly scheme: string;
  readonly input: TwinInput;
  /** ρ */
  readonly roundings: number;
}

/**
 * ρ: in a cycle of 5 steps some 300 operations touch a number; elevations and momenta are of size 0.2, and each operation is
 * wrong by 2⁻²⁴/√3 of that. As a random walk: √300 · 0.2/√3 = 2 roundings; and 10 where the number is a depth of 1 m. The
 * analyses add those of increments of size 0.1 in problems of condition 10: one more.
 */
export const agreementProblems: readonly AgreementProblem[] = [
  { scheme: 'central-upwind', input: everything, roundings: 3 * EPSILON },
  { scheme: 'richtmyer', input: flatBottom, roundings: 11 * EPSILON },
];

function largestDifferences(a: Checkpoint, b: Checkpoint): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(a.arrays).map(([name, values]) => [
      name,
      values.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b.arrays[name][i])), 0),
    ]),
  );
}

/** How far one state of two runs is apart, and may be. */
interface StateDifference {
  /** `truth`, `method.letkf`. */
  readonly state: string;
  /** Cycles that were done. */
  readonly cycle: number;
  readonly difference: number;
  readonly bound: number;
}

interface ComparedRuns {
  readonly differences: readonly StateDifference[];
  /** Diagnostics of the reference. */
  readonly diagnostics: readonly CycleDiagnostics[];
}

/**
 * Runs a problem on both backends.
 *
 * @param after the numbers of cycles after which the states are compared
 * @param turn waited for before each cycle
 */
export async function compareRuns(
  reference: Backend,
  other: Backend,
  { input, roundings }: AgreementProblem,
  after: readonly number[],
  turn: () => Promise<void> = () => Promise.resolve(),
): Promise<ComparedRuns> {
  const scenario = scenarioOf(input);
  const exact = await twin(reference, scenario);
  const start = await exact.experiment.checkpoint();
  const shifted = await twin(
    reference,
    scenario,
    disturbed(start, (value, sign) => value + sign * EPSILON),
  );
  const found = await twin(other, scenario);
  const states = Object.keys(start.arrays);
  /** Σ G(m) of each state so far. */
  let grown = new Map<string, number>();
  const compared: { cycle: number; between: ReadonlyMap<string, number>; grown: ReadonlyMap<string, number> }[] = [];
  for (let cycle = 0; cycle <= Math.max(...after); cycle++) {
    await turn();
    for (const run of [exact, shifted, found]) await run.runTo(cycle);
    const now = await exact.experiment.checkpoint();
    const growth = largestDifferences(now, await shifted.experiment.checkpoint());
    grown = new Map(states.map((state) => [state, (grown.get(state) ?? 0) + (growth.get(state) ?? 0) / EPSILON]));
    if (after.includes(cycle)) {
      compared.push({ cycle, between: largestDifferences(now, await found.experiment.checkpoint()), grown });
    }
  }
  for (const run of [exact, shifted, found]) run.experiment.dispose();
  const differences = states.flatMap((state) =>
    compared.map(({ cycle, between, grown: sum }) => ({
      state,
      cycle,
      difference: between.get(state) ?? Number.NaN,
      bound: roundings * (sum.get(state) ?? 0),
    })),
  );
  return { differences, diagnostics: exact.diagnostics };
}
