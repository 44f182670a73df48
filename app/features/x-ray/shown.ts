/** Answers as the stage shows them: a field on the water of every method. */
import { correlationsOf, type ExplainedVariable, type SnapshotObservations } from '../../../engine/index.ts';
import { incrementSymbol, type ShownMark, type ShownPlanes } from '../../document/views/shown-planes.ts';
import type { CycleAnswers, MethodAnswers, Measure, XraySubject } from './answers.ts';

/** What is shown of the answers. */
export interface ShownChoice {
  readonly measure: Measure;
  /** Variable of the model's state whose plane is shown. */
  readonly variable: string;
  /** Places of a ring are counted: they are no points of a basin. */
  readonly isRing: boolean;
}

/** What a measure shows of a state: its variables, and the elements of it from one place up to another. */
interface StateOf {
  readonly size: number;
  readonly variables: readonly ExplainedVariable[];
  readonly elements: (from: number, to: number) => Float64Array;
}

/** @returns the state that a measure shows, [variable][y][x] */
function stateOf({ column, alone }: MethodAnswers, measure: Measure): StateOf | undefined {
  const covered = column && { size: column.values.length, variables: column.variables };
  switch (measure) {
    case 'correlation':
      return covered && { ...covered, elements: (from, to) => correlationsOf(column, from, to) };
    case 'covariance':
      return covered && { ...covered, elements: (from, to) => column.values.subarray(from, to) };
    case 'increment':
      return (
        alone && {
          size: alone.increment.length,
          variables: alone.variables,
          elements: (from, to) => alone.increment.subarray(from, to),
        }
      );
    default:
      return measure satisfies never;
  }
}

/** Whether a subject is asked about at two times. */
export function areApart(subject: XraySubject): boolean {
  return subject.kind === 'point' && subject.times !== undefined && subject.times.field !== subject.times.cell;
}

/** When the point is, where the field and the point are not both at the end of the window. */
function whenWords({ times }: XraySubject & { readonly kind: 'point' }): string {
  if (!times || (times.field === times.cell && times.cell === 1)) return '';
  return times.cell === 1 ? ' at the end' : ' at the start';
}

function wordsOf(
  { subject, place }: CycleAnswers,
  { measure, variable, isRing }: ShownChoice,
  unit: string,
): Pick<ShownPlanes, 'title' | 'symbol' | 'unit' | 'description'> {
  const whom =
    subject.kind === 'point'
      ? `the ${isRing ? 'place' : 'point'}${whenWords(subject)}`
      : `observation ${subject.index}`;
  const what = variable === place.variable ? variable : `${variable} with ${place.variable}`;
  switch (measure) {
    case 'correlation':
      return {
        title: `Correlation with ${whom}`,
        symbol: `corr ${what}`,
        unit: '1',
        description: `How ${what} of the background’s errors goes along with those at ${whom}, −1 to 1; tapered as the method tapers it.`,
      };
    case 'covariance':
      return {
        title: `Covariance with ${whom}`,
        symbol: `cov ${what}`,
        unit,
        description: `Covariance of the background’s errors with those at ${whom}, as the method uses it.`,
      };
    case 'increment':
      return {
        title: `Increment by ${whom} alone`,
        symbol: incrementSymbol(variable),
        unit,
        description: `What ${whom} would change if it were the only one.`,
      };
    default:
      return measure satisfies never;
  }
}

/** @returns how prominent each observation is, 0 … 1, by method */
function stemsOf({ subject, byMethod }: CycleAnswers, count: number): ReadonlyMap<string, Float64Array> {
  if (subject.kind === 'observation') {
    const alone = Float64Array.from({ length: count }, (_, index) => Number(index === subject.index));
    return new Map([...byMethod.keys()].map((label) => [label, alone]));
  }
  return new Map(
    [...byMethod].flatMap(([label, { weights }]) => {
      if (!weights) return [];
      const all = new Float64Array(count);
      weights.observations.forEach((index, k) => {
        all[index] = weights.localisation[k];
      });
      return [[label, all] as const];
    }),
  );
}

/** Stems that were made of answers: who points at a row of a table does not have all of them drawn again. */
const stemsMade = new WeakMap<CycleAnswers, ReadonlyMap<string, Float64Array>>();

/**
 * @param observations of the cycle that the answers are of
 * @param pointed number of an observation that is pointed at
 * @returns undefined where no method has such an answer
 */
export function shownAnswers(
  answers: CycleAnswers,
  choice: ShownChoice,
  observations: Pick<SnapshotObservations, 'x' | 'y'>,
  pointed: number | undefined,
): ShownPlanes | undefined {
  const { measure, variable } = choice;
  const planes = new Map<string, Float32Array>();
  let unit = '';
  for (const [label, of] of answers.byMethod) {
    const found = planeOf(of, measure, variable);
    if (!found) continue;
    planes.set(label, found.values);
    ({ unit } = found);
  }
  if (planes.size === 0) return undefined;
  const marks: ShownMark[] = [{ ...answers.place.at, kind: 'asked' }];
  if (pointed !== undefined && pointed < observations.x.length) {
    marks.push({ x: observations.x[pointed], y: observations.y[pointed], kind: 'other' });
  }
  const stems = stemsMade.get(answers) ?? stemsOf(answers, observations.x.length);
  stemsMade.set(answers, stems);
  return {
    ...wordsOf(answers, choice, unit),
    scale: 'diverging',
    // Between two times correlations are small: they have a range of their own.
    ...(measure === 'correlation' && !areApart(answers.subject) && { range: [-1, 1] }),
    planes,
    lift: measure === 'increment' && (variable === 'h' || variable === 'x') ? 'value' : 'surface',
    marks,
    stems,
  };
}

interface ShownPlane {
  readonly values: Float32Array;
  readonly unit: string;
}

/** Planes that were made of an answer: what was shown before is the same plane again. */
const made = new WeakMap<object, Map<string, ShownPlane>>();

function planeOf(of: MethodAnswers, measure: Measure, variable: string): ShownPlane | undefined {
  const source = measure === 'increment' ? of.alone : of.column;
  if (!source) return undefined;
  const key = `${measure}/${variable}`;
  const known = made.get(source) ?? new Map<string, ShownPlane>();
  made.set(source, known);
  const found = known.get(key) ?? planeIn(stateOf(of, measure), variable);
  if (found) known.set(key, found);
  return found;
}

function planeIn(state: StateOf | undefined, variable: string): ShownPlane | undefined {
  const index = state?.variables.findIndex(({ name }) => name === variable) ?? -1;
  if (!state || index < 0 || state.size === 0) return undefined;
  const cells = state.size / state.variables.length;
  return {
    values: new Float32Array(state.elements(index * cells, (index + 1) * cells)),
    unit: state.variables[index].unit,
  };
}
