/** What `shoal explain` asks a run, by its options, and the answers for people. */
import {
  describeDegreesOfFreedom,
  describeMinimisation,
  describeObservation,
  describeReach,
  describeTrust,
  EXPLANATION_KINDS,
  modelKindDefinition,
  type Explanation,
  type ExplanationKind,
  type SpokenMethod,
  type MinimisationCourse,
  type MinimisationExplanation,
  type AskedObservation,
  type CovarianceTimes,
  type MethodQuestion,
  type Scenario,
} from '../../../engine/index.ts';
import { formatTable } from '../table.ts';
import { UsageError } from '../context.ts';

/** What `shoal explain` asks a run, by its options. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

interface Subject {
  /** Cell of the grid. */
  readonly cell?: Cell | undefined;
  /** Index of an observation of the cycle, counted from 0. */
  readonly observation?: number | undefined;
  /** When in the window the covariance field and the cell are. */
  readonly times?: CovarianceTimes | undefined;
  /** What the observation is taken to have read. */
  readonly value?: number | undefined;
  /** Variable of the state; default: the first. */
  readonly variable?: string | undefined;
  /** Whether the minimisations are asked about as well: their answers are long. */
  readonly minimisation?: boolean | undefined;
  /** Whether impacts are asked about, which may be all. */
  readonly impact?: boolean | undefined;
  /** Those that can be asked if omitted. */
  readonly kinds?: readonly ExplanationKind[] | undefined;
}

/** What a question is about. */
const ABOUT: Readonly<Record<ExplanationKind, 'cell' | 'observation' | 'analysis' | 'minimisation'>> = {
  'covariance-column': 'cell',
  'single-observation': 'observation',
  observation: 'observation',
  weights: 'cell',
  influence: 'cell',
  'degrees-of-freedom': 'analysis',
  minimisation: 'minimisation',
};

const OPTIONS = { cell: '--at x,y', observation: '--observation i' } as const;

/** @throws UsageError for a cell or a variable that the model does not have, and where a kind has nothing to be about */
export function questionsOf(subject: Subject, { grid: { nx, ny }, model }: Scenario): readonly MethodQuestion[] {
  const names = modelKindDefinition(model).variables.map(({ name }) => name);
  const { cell, times, observation, value, variable = names[0], minimisation = false, impact = false } = subject;
  // To ask for it by the one option is to ask for it by the other.
  const kinds = subject.kinds && minimisation ? [...subject.kinds, 'minimisation'] : subject.kinds;
  if (cell && !(cell.x < nx && cell.y < ny)) {
    throw new UsageError(
      `--at ${cell.x},${cell.y}: the grid has ${nx} × ${ny} cells, allowed: 0,0 to ${nx - 1},${ny - 1}`,
    );
  }
  if (!names.includes(variable)) {
    throw new UsageError(`--variable ${variable}: the model does not have it, allowed: ${names.join(', ')}`);
  }
  if (value !== undefined && observation === undefined) {
    throw new UsageError('--value: name the observation that is taken to have read it by --observation i');
  }
  if (times && !cell) throw new UsageError('--times: name the cell by --at x,y');
  const [hasCell, hasObservation] = [cell !== undefined, observation !== undefined];
  const given = { cell: hasCell, observation: hasObservation, analysis: hasCell || hasObservation, minimisation };
  for (const kind of subject.kinds ?? []) {
    const about = ABOUT[kind];
    if ((about === 'cell' || about === 'observation') && !given[about])
      throw new UsageError(`--kind ${kind}: give ${OPTIONS[about]} with it`);
  }
  if (!kinds && !given.cell && !given.observation && !minimisation && !impact) {
    throw new UsageError(
      `nothing is asked; give ${OPTIONS.cell}, ${OPTIONS.observation}, both, --minimisation, or --impact n`,
    );
  }
  const asked: AskedObservation = { index: observation ?? 0, ...(value !== undefined && { value }) };
  const at = cell ?? { x: 0, y: 0 };
  const questions: Readonly<Record<ExplanationKind, MethodQuestion>> = {
    'covariance-column': { kind: 'covariance-column', variable, cell: at, times },
    'single-observation': { kind: 'single-observation', observation: asked },
    observation: { kind: 'observation', observation: asked },
    weights: { kind: 'weights', cell: at },
    influence: { kind: 'influence', variable, cell: at },
    'degrees-of-freedom': { kind: 'degrees-of-freedom' },
    minimisation: { kind: 'minimisation', variable },
  };
  return EXPLANATION_KINDS.filter((kind) => (kinds ? kinds.includes(kind) : given[ABOUT[kind]])).map(
    (kind) => questions[kind],
  );
}

/** Rows at most: the document has them all. */
const MOST_ROWS = 24;
const COLUMNS = ['J', 'Jb', 'Jo', 'residual'] as const;

function costDigits(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

function cellsOf({ cost, backgroundCost, observationCost, residual }: MinimisationCourse, k: number): string[] {
  return [cost, backgroundCost, observationCost, residual].map((column) => costDigits(column[k]));
}

/** Iterations that have a row: all, or evenly some, with the last of both minimisations. */
function rowsOf({ preconditioned, plain }: MinimisationExplanation): readonly number[] {
  const last = Math.max(preconditioned.iterations, plain.iterations);
  const every = Math.ceil((last + 1) / MOST_ROWS);
  const rows = Array.from({ length: Math.floor(last / every) + 1 }, (_, row) => row * every);
  return [...new Set([...rows, preconditioned.iterations, plain.iterations])].sort((a, b) => a - b);
}

/** The extremes of what the iterations know of the spectrum. */
function spectrumOf({ ritzValues }: MinimisationCourse): string {
  const values = ritzValues.at(-1);
  if (!values || values.length === 0) return 'no Ritz values';
  const [low, high] = [values[0], values[values.length - 1]];
  return `Ritz values ${costDigits(low)} to ${costDigits(high)}, condition ${costDigits(high / low)}`;
}

/** A minimisation by iteration for people: as the run carried it out, and without preconditioning beside it. */
function formatMinimisation(explanation: MinimisationExplanation): string {
  const { preconditioned, plain } = explanation;
  const table = formatTable(
    ['iteration', ...COLUMNS, ...COLUMNS.map((name) => `${name}\nwithout`)],
    rowsOf(explanation).map((k) => [k, ...cellsOf(preconditioned, k), ...cellsOf(plain, k)]),
    { align: 'r', compact: true },
  );
  return [
    'minimisation, and the same without preconditioning',
    table,
    `${spectrumOf(preconditioned)}; without preconditioning ${spectrumOf(plain)}`,
  ].join('\n');
}

export type AnswersByKind = { readonly [Kind in ExplanationKind]?: Explanation<Kind> | undefined };

export interface ExplainedMethod extends SpokenMethod {
  /** Undefined for a kind that was asked and has no answer. */
  readonly answers: AnswersByKind;
  /** Why nothing was asked: it diverged, or does not assimilate. */
  readonly absent?: string;
}

interface Grid {
  readonly nx: number;
  readonly ny: number;
}

/** Observations that are named by themselves in a line. */
const NAMED = 5;
/** From this correlation on a cell counts as linked. */
const LINKED = 0.5;

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${digits(Math.abs(value))}`;
}

function columnLine(
  { values, deviations, deviation, element }: Explanation<'covariance-column'>,
  { nx, ny }: Grid,
): string {
  const cells = nx * ny;
  const first = element - (element % cells);
  let linked = 0;
  for (let i = first; i < first + cells; i++) {
    const scale = deviations[i] * deviation;
    if (i !== element && scale > 0 && Math.abs(values[i]) >= LINKED * scale) linked++;
  }
  return `σ of the background ${digits(deviation)}; ${linked} other cells correlate with it by ${LINKED} or more`;
}

function incrementLine(
  { observation: { index }, isUsed, increment, variables }: Explanation<'single-observation'>,
  { nx, ny }: Grid,
): string {
  if (!isUsed) return `observation ${index} alone is rejected`;
  const cells = nx * ny;
  const largest = variables.map(({ name, unit }, variable) => {
    const plane = increment.subarray(variable * cells, (variable + 1) * cells);
    const at = plane.reduce((best, value, cell) => (Math.abs(value) > Math.abs(plane[best]) ? cell : best), 0);
    return `${name} by ${signed(plane[at])} ${unit} at ${at % nx},${Math.floor(at / nx)}`;
  });
  return `observation ${index} alone changes at most ${largest.join('; ')}`;
}

function influenceLine({ contributions, increment, unit }: Explanation<'influence'>): string {
  const order = Array.from(contributions.keys())
    .filter((j) => contributions[j] !== 0)
    .sort((a, b) => Math.abs(contributions[b]) - Math.abs(contributions[a]));
  const named = order.slice(0, NAMED).map((j) => `observation ${j} ${signed(contributions[j])}`);
  const rest = order.slice(NAMED).reduce((sum, j) => sum + contributions[j], 0);
  const others = order.length > NAMED ? [`${order.length - NAMED} others ${signed(rest)}`] : [];
  const from = named.length === 0 ? 'no observation has a part in it' : [...named, ...others].join(', ');
  return `increment ${signed(increment)} ${unit}: ${from}`;
}

function weightsLine({ weights, ...of }: Explanation<'weights'>): string {
  const [least, most] = [Math.min(...weights), Math.max(...weights)];
  return `${weights.length} weights from ${digits(least)} to ${digits(most)}; ${describeReach(of)}, ${digits(of.degreesOfFreedom)} degrees of freedom for signal`;
}

/** The sentences that compare the methods, and those about each. */
export function wordsOf(methods: readonly ExplainedMethod[]): readonly string[] {
  const trusted = methods.flatMap(({ label, kind, answers }) => {
    const { observation, 'covariance-column': column } = answers;
    if (observation) return [{ label, kind, deviation: observation.prior.deviation }];
    return column ? [{ label, kind, deviation: column.deviation }] : [];
  });
  return [
    ...describeTrust(trusted),
    ...methods.flatMap((method) => {
      const { observation, minimisation, 'degrees-of-freedom': signal } = method.answers;
      return [
        ...(observation ? [describeObservation(method, methods, observation)] : []),
        ...(signal ? [describeDegreesOfFreedom(method, methods, signal)] : []),
        ...(minimisation ? [describeMinimisation(method, methods, minimisation)] : []),
      ];
    }),
  ];
}

/** The lines about each method, after the words. */
export function linesOf(methods: readonly ExplainedMethod[], grid: Grid): readonly string[] {
  return methods.flatMap(({ label, answers, absent }) => {
    if (absent !== undefined) return [`${label}: ${absent}`];
    const { 'covariance-column': column, 'single-observation': alone, influence, weights, minimisation } = answers;
    const without = Object.entries(answers).flatMap(([kind, answer]) => (answer === undefined ? [kind] : []));
    return [
      ...(column ? [columnLine(column, grid)] : []),
      ...(influence ? [influenceLine(influence)] : []),
      ...(weights ? [weightsLine(weights)] : []),
      ...(alone ? [incrementLine(alone, grid)] : []),
      ...(minimisation ? [formatMinimisation(minimisation)] : []),
      ...(without.length > 0 ? [`has no answer to ${without.join(', ')}`] : []),
    ].map((line) => `${label}: ${line}`);
  });
}

/** Planes as rows of rows, [plane][y][x]. */
export function nested(values: Float64Array | Float32Array, { nx, ny }: Grid): number[][][] {
  const row = (first: number): number[] => Array.from(values.subarray(first, first + nx));
  return Array.from({ length: values.length / (nx * ny) }, (_, variable) =>
    Array.from({ length: ny }, (__, y) => row((variable * ny + y) * nx)),
  );
}

/** Planes of an answer, [variable][y][x], and of its iterations, [iteration][y][x], by name. */
export function fieldsOf(answers: AnswersByKind): Readonly<Record<string, Float64Array | Float32Array>> {
  const { 'covariance-column': column, 'single-observation': alone, minimisation } = answers;
  return {
    ...(column && { 'covariance-column': column.values, 'covariance-column-deviations': column.deviations }),
    ...(alone && { 'single-observation': alone.increment }),
    ...(minimisation && {
      'minimisation-preconditioned': minimisation.preconditioned.increments,
      'minimisation-plain': minimisation.plain.increments,
    }),
  };
}

/**
 * The document of one method.
 *
 * @param fieldOf what represents a field: its numbers, or the file that they are in
 */
export function documentOf(
  { label, kind, answers, absent }: ExplainedMethod,
  fieldOf: (name: string, values: Float64Array | Float32Array) => unknown,
): object {
  const names = new Map(Object.entries(fieldsOf(answers)).map(([name, values]) => [values, name]));
  const plain = listed(answers, (values) => {
    const name = names.get(values);
    return name === undefined ? Array.from(values) : fieldOf(name, values);
  });
  return { method: label, kind, ...(absent !== undefined && { absent }), answers: plain };
}

/** Arrays as `arrayOf` has them; what is not known as null. */
function listed(value: object, arrayOf: (values: Float64Array | Float32Array) => unknown): Record<string, unknown> {
  const plain = (each: unknown): unknown => {
    if (each instanceof Float64Array || each instanceof Float32Array) return arrayOf(each);
    if (each instanceof Uint32Array) return Array.from(each);
    if (Array.isArray(each)) return each.map(plain);
    return typeof each === 'object' && each !== null ? listed(each, arrayOf) : (each ?? null);
  };
  return Object.fromEntries(Object.entries(value).map(([key, each]: [string, unknown]) => [key, plain(each)]));
}
