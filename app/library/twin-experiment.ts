/** A twin experiment as a program holds it: cycle by cycle, with truth, methods and scores to be read in between. */
import {
  createExperiment,
  DEFAULT_MEMORY_BYTES,
  fileReader,
  NO_FILES,
  readScenarioFiles,
  recordedImpact,
  recordedImpacts,
  withImpact,
  type Backend,
  type Checkpoint,
  type CycleDiagnostics,
  type CycleObservations,
  type Explanation,
  type ExplanationKind,
  type MethodDivergence,
  type MethodQuestion,
  type RealField,
  type Scenario,
} from '../../engine/index.ts';
import { assertArgument, assertOptions, callback, flag, having, record, text, readScenario } from './scenario.ts';
import { openHdf5 } from './backend.ts';

/** What a twin experiment is made with. */
export interface TwinExperimentOptions {
  /** Where it computes; it stays its owner's. */
  readonly backend: Backend;
  /** The contents of the files that the scenario names, by those names. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Where to continue: the next cycles are those that the run would have had, to the same bits. */
  readonly checkpoint?: Checkpoint;
  /** Whether forecasts are kept, so that `explain` has answers: a copy of each method's state. */
  readonly keepsForecasts?: boolean;
  /** Called with what a user should know: settings without effect, an analysis that was not whole. */
  readonly onWarning?: (message: string) => void;
}

/** What one cycle has brought. */
export interface CycleResult {
  /** Counted from 0. */
  readonly cycle: number;
  /** Diagnostics of each method that took part, by its label. */
  readonly diagnostics: ReadonlyMap<string, CycleDiagnostics>;
  /** What was observed; undefined in a cycle without an analysis. */
  readonly observations: CycleObservations | undefined;
  /** Methods that left what their model can represent in this cycle; the others continue. */
  readonly diverged: readonly MethodDivergence[];
}

/** A plane of the experiment. */
export interface PlaneRequest {
  /** `truth`, or the label of a method. */
  readonly of: string;
  /** `h` (the depth), `eta` (the surface above the water at rest), `hu` or `hv` on shallow water, `x` on Lorenz-96. */
  readonly variable: string;
  /** One member, counted from 0; the mean of all if omitted. The truth and a method with one state have member 0. */
  readonly member?: number;
}

/** Truth and methods, cycle by cycle. Whoever creates it disposes it. */
export interface TwinExperiment {
  /** As it was given, with every default filled in. */
  readonly scenario: Scenario;
  /** Cells, their size in metres, and where the basin goes round. */
  readonly grid: {
    readonly nx: number;
    readonly ny: number;
    readonly dx: number;
    readonly dy: number;
    readonly periodicX: boolean;
    readonly periodicY: boolean;
  };
  /** Variables of the state, in its order, with their units. */
  readonly variables: readonly { readonly name: string; readonly unit: string }[];
  /** Labels of the methods, in the scenario's order. */
  readonly methods: readonly string[];
  /** Cycles that are done; the next one has this number. */
  readonly cycle: number;
  /**
   * Runs one cycle: forecasts, observations, analyses and scores.
   *
   * @throws DivergenceError when the truth diverges, AllDivergedError when the last method does
   * @throws RangeError after the last cycle of the scenario
   */
  step(): Promise<CycleResult>;
  /**
   * Reads a plane as it is after the latest cycle, [y][x], in the unit of its variable.
   *
   * @throws RangeError for a method, a variable or a member that there is not
   */
  plane(request: PlaneRequest): Promise<Float32Array>;
  /** Standard deviation of a method's members in every cell, [y][x], over k − 1; zeros with one member. */
  spread(request: Omit<PlaneRequest, 'member'>): Promise<Float32Array>;
  /**
   * Asks a method why its latest analysis is what it is; needs `keepsForecasts`.
   *
   * @returns undefined where the method has no answer to questions of that kind
   * @throws QuestionError, NotKeptError
   */
  explain<Kind extends ExplanationKind>(
    method: string,
    question: MethodQuestion<Kind>,
  ): Promise<Explanation<Kind> | undefined>;
  /** All that is needed to continue from here, on the same kind of backend. */
  checkpoint(): Promise<Checkpoint>;
  /** Frees what it holds on its backend. */
  dispose(): void;
}

/** A state on the backend. */
interface Held {
  /** [members][variable][y][x] */
  readonly state: RealField;
  readonly members: number;
}

const OPTIONS = {
  backend: having(['read', 'write', 'readSingle', 'dispose'], 'a backend that openBackend opened'),
  files: record,
  checkpoint: record,
  keepsForecasts: flag,
  onWarning: callback,
};

/** Contents of files as copies: what is read may be given away to a thread, and the caller's memory stays as it is. */
function copiedFiles(files: Readonly<Record<string, unknown>>): Readonly<Record<string, Uint8Array>> {
  const bytes = { allowed: 'a Uint8Array', holds: (value: unknown) => value instanceof Uint8Array };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      assertArgument(`createTwinExperiment: files: ${JSON.stringify(name)}`, content, bytes);
      return [name, new Uint8Array(content as Uint8Array)];
    }),
  );
}

function assertCheckpoint({ cycle, arrays, fingerprint }: Checkpoint): void {
  const where = 'createTwinExperiment: checkpoint';
  assertArgument(`${where}.cycle`, cycle, {
    allowed: 'a whole number of at least 0',
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  });
  assertArgument(`${where}.fingerprint`, fingerprint, text);
  assertArgument(`${where}.arrays`, arrays, record);
  const values = { allowed: 'a Float64Array', holds: (value: unknown) => value instanceof Float64Array };
  for (const [name, array] of Object.entries(arrays)) assertArgument(`${where}.arrays.${name}`, array, values);
}

function assertRequest(where: string, request: unknown, withMember: boolean): void {
  const whole = { allowed: 'a number', holds: (value: unknown) => typeof value === 'number' };
  assertOptions(where, request, { of: text, variable: text, ...(withMember && { member: whole }) });
  const { of, variable } = request as Partial<PlaneRequest>;
  assertArgument(`${where}: of`, of, text);
  assertArgument(`${where}: variable`, variable, text);
}

/**
 * Draws truth and ensemble, spins them up, and prepares every method of the scenario.
 *
 * @param scenario as `readScenario` gives it
 * @throws ArgumentError for what is no scenario or option; ScenarioError if a file is missing or wrong; LimitError where it does not fit the backend; DivergenceError in the
 *   spin-up
 */
export async function createTwinExperiment(
  scenario: Scenario,
  options: TwinExperimentOptions,
): Promise<TwinExperiment> {
  assertArgument('createTwinExperiment: scenario', scenario, { ...record, allowed: 'what readScenario returns' });
  readScenario(scenario, typeof scenario.name === 'string' ? scenario.name : 'scenario');
  assertOptions('createTwinExperiment', options, OPTIONS);
  const { backend, files, checkpoint, keepsForecasts = false, onWarning } = options;
  assertArgument('createTwinExperiment: backend', backend, OPTIONS.backend);
  if (checkpoint) assertCheckpoint(checkpoint);
  let diagnostics = new Map<string, CycleDiagnostics>();
  let diverged: MethodDivergence[] = [];
  const read = files
    ? await readScenarioFiles(scenario, fileReader(copiedFiles(files)), scenario.name, openHdf5)
    : NO_FILES;
  const experiment = await createExperiment(backend, scenario, {
    files: read,
    ...(checkpoint && { checkpoint }),
    listener(event) {
      if (event.type === 'diagnostics') diagnostics.set(event.diagnostics.method, event.diagnostics);
      else if (event.type === 'diverged') diverged.push(event);
      else if (event.type === 'warning') onWarning?.(event.message);
    },
  });
  const hasImpacts = recordedImpact(scenario.experiment) !== undefined;
  experiment.keepForecasts(keepsForecasts || hasImpacts);
  const { model } = experiment;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const cells = nx * ny;

  function heldBy(name: string): Held {
    if (name === 'truth') return { state: experiment.truth, members: 1 };
    const method = experiment.methods.find(({ label }) => label === name);
    if (method) return method;
    const known = ['truth', ...experiment.methods.map(({ label }) => label)];
    throw new RangeError(`found no ${JSON.stringify(name)}, there are ${known.join(', ')}`);
  }

  function offsetOf(variable: string): number {
    const names = model.variables.map(({ name }) => name);
    const index = names.indexOf(variable === 'eta' && model.surface ? 'h' : variable);
    if (index >= 0) return index * cells;
    const known = [...names, ...(model.surface ? ['eta'] : [])].join(', ');
    throw new RangeError(`found the variable ${JSON.stringify(variable)}, the state has ${known}`);
  }

  /** Component 0 of water is the depth or the elevation of its surface, by the scheme; a plane is what its name says. */
  function named(variable: string, plane: Float32Array): Float32Array {
    const { bed, surface } = model;
    if (!bed) return plane;
    if (variable === 'h' && surface === 'elevation') {
      return plane.map((eta, cell) => Math.max(eta - Math.fround(bed[cell]), 0));
    }
    return variable === 'eta' && surface === 'depth' ? plane.map((depth, cell) => depth + bed[cell]) : plane;
  }

  async function planeOf({ state }: Held, variable: string, member: number): Promise<Float32Array> {
    const offset = member * model.variables.length * cells + offsetOf(variable);
    return named(variable, await backend.readSingle(state, offset, cells));
  }

  async function memberPlanes({ of, variable }: Omit<PlaneRequest, 'member'>): Promise<Float32Array[]> {
    const held = heldBy(of);
    return Promise.all(Array.from({ length: held.members }, (_, member) => planeOf(held, variable, member)));
  }

  return {
    scenario,
    grid: { nx, ny, dx, dy, periodicX, periodicY },
    variables: model.variables.map(({ name, unit }) => ({ name, unit })),
    methods: experiment.methods.map(({ label }) => label),
    get cycle() {
      return experiment.nextCycle;
    },
    async step() {
      const cycle = experiment.nextCycle;
      if (cycle >= experiment.cycles) throw new RangeError(`the scenario ends with its ${experiment.cycles} cycles`);
      diagnostics = new Map();
      diverged = [];
      await experiment.step();
      if (hasImpacts) {
        const situation = { backend, scenario, files: read, memoryBytes: DEFAULT_MEMORY_BYTES };
        const impacts = await recordedImpacts(experiment, situation);
        for (const [method, row] of diagnostics) diagnostics.set(method, withImpact(row, impacts, scenario));
      }
      return { cycle, diagnostics, observations: experiment.observations, diverged };
    },
    async plane(asked) {
      assertRequest('plane', asked, true);
      const { member, ...request } = asked;
      const held = heldBy(request.of);
      const { members } = held;
      if (member === undefined) {
        const planes = await memberPlanes(request);
        return Float32Array.from({ length: cells }, (_, cell) => {
          let sum = 0;
          for (const plane of planes) sum += plane[cell];
          return sum / members;
        });
      }
      if (!(Number.isInteger(member) && member >= 0 && member < members)) {
        throw new RangeError(`found the member ${member}, ${request.of} has 0 … ${members - 1}`);
      }
      return planeOf(held, request.variable, member);
    },
    async spread(request) {
      assertRequest('spread', request, false);
      const planes = await memberPlanes(request);
      const degrees = Math.max(1, planes.length - 1);
      return Float32Array.from({ length: cells }, (_, cell) => {
        let mean = 0;
        for (const plane of planes) mean += plane[cell] / planes.length;
        let sum = 0;
        for (const plane of planes) sum += (plane[cell] - mean) ** 2;
        return Math.sqrt(sum / degrees);
      });
    },
    async explain(method, question) {
      assertArgument('explain: method', method, text);
      assertArgument('explain: question', question, record);
      assertArgument('explain: question.kind', question.kind, text);
      return experiment.explain(method, question);
    },
    checkpoint: () => experiment.checkpoint(),
    dispose: () => experiment.dispose(),
  };
}
