/** A method that has analysed a small ensemble and is asked about it: the ensemble, what is observed of it, and what rounding makes. */
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { createMethod, executeAnalysis } from '../../../engine/methods/index.ts';
import type { Explanation, ExplanationKind, Method, MethodQuestion } from '../../../engine/methods/index.ts';
import type { AnalysisKind } from '../../../engine/methods/explanation.ts';
import { taperBetween } from '../../../engine/operators/localisation/index.ts';
import { normals } from '../../../engine/check/measures.ts';
import { basin, contextOf, lengthOf, meanOf } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

export const [NX, NY, MEMBERS] = [9, 7, 6];
export const CELLS = NX * NY;
export const MODEL = basin({ nx: NX, ny: NY, periodicX: true });
export const LENGTH = lengthOf(MODEL);
export const SPREAD = 0.1;
export const ERROR = 0.1;
export const INFLATION = 1.2;
/** Metres; cells are 2 m × 1.5 m. */
export const HALF_WIDTH = 4;

/** At cells, so that H is a choice of elements. */
export const PLACES: readonly (readonly [x: number, y: number, variable: 'eta' | 'hu'])[] = [
  [1, 1, 'eta'],
  [5, 1, 'hu'],
  [8, 3, 'eta'],
  [3, 4, 'eta'],
  [4, 4, 'hu'],
  [6, 6, 'eta'],
  [2, 6, 'eta'],
];
export const COUNT = PLACES.length;

export const OBSERVED: Observed = {
  x: Float64Array.from(PLACES, ([x]) => x),
  y: Float64Array.from(PLACES, ([, y]) => y),
  variable: PLACES.map(([, , variable]) => variable),
  values: normals(COUNT, 'influence.values').map((value) => SPREAD * value),
  // The fifth is missing.
  inverseErrorStd: Float64Array.from(PLACES, (_, j) => (j === 4 ? 0 : 1 / ERROR)),
};
export const USED = PLACES.flatMap((_, j) => (OBSERVED.inverseErrorStd[j] > 0 ? [j] : []));

/** The element of the state that an observation sees. */
export function seenElement(j: number): number {
  const [x, y, variable] = PLACES[j];
  return (variable === 'eta' ? 0 : CELLS) + y * NX + x;
}

/** The taper between two elements' cells. */
export function taperOf(a: number, b: number, halfWidth = HALF_WIDTH): number {
  const taper = taperBetween({
    nx: NX,
    ny: NY,
    periodicX: true,
    periodicY: false,
    aspect: 0.75,
    halfWidthCells: halfWidth / 2,
  });
  const [cellA, cellB] = [a % CELLS, b % CELLS];
  return taper((cellA % NX) - (cellB % NX), Math.floor(cellA / NX) - Math.floor(cellB / NX));
}

/** An ensemble of small waves, exact in float32. */
export function drawn(members: number): Float64Array {
  return normals(members * LENGTH, 'influence.forecast').map((value) => Math.fround(SPREAD * value));
}

export const FILTER = { localisation: { halfWidth: HALF_WIDTH }, inflation: INFLATION };

interface Asked {
  readonly made: Method;
  /** The increment of the mean, [length]. */
  readonly increment: Float64Array;
  /** The analysis, [members][length]. */
  readonly state: Float64Array;
  readonly ask: <Kind extends AnalysisKind>(question: MethodQuestion<Kind>) => Promise<Explanation<Kind>>;
  readonly variance: (row: Float64Array) => Promise<number>;
}

/** Has a method analyse its forecast, and asks it. */
export async function analysed<Result>(
  backend: Backend,
  settings: MethodSettings,
  use: (asked: Asked) => Promise<Result>,
  observed = OBSERVED,
): Promise<Result> {
  const context = await contextOf(backend, MODEL, observed, MEMBERS);
  const made = await createMethod(settings, context);
  const before = drawn(made.members);
  const forecast = backend.allocate('forecast', 'real', before.length);
  const row = backend.allocate('row', 'real', LENGTH);
  try {
    backend.write(forecast, before);
    backend.write(made.state, before);
    made.departures.compute(made.state);
    await executeAnalysis(backend, made, 0);
    const after = await backend.read(made.state);
    return await use({
      made,
      state: after,
      increment: meanOf(
        after.map((value, i) => value - before[i]),
        LENGTH,
      ),
      async ask<Kind extends AnalysisKind>(question: MethodQuestion<Kind>) {
        const answer = await made.explain(question, forecast);
        if (answer === undefined) throw new Error(`no answer to ${question.kind satisfies ExplanationKind}`);
        return answer;
      },
      async variance(values) {
        backend.write(row, values);
        return (await made.analysedVariance?.(row, forecast)) ?? Number.NaN;
      },
    });
  } finally {
    for (const owned of [forecast, row, made, context]) owned.dispose();
  }
}

/**
 * What rounding makes of an increment: each is a sum over members and observations, of terms as large as the contributions and of
 * states, after a solve whose condition is at most 1 + tr(S P Sᵀ), and after tens of taps of a filter.
 */
export function roundingOf(eps: number, contributions: Float64Array = Float64Array.of(1)): number {
  const condition = 1 + COUNT * ((INFLATION * 4 * SPREAD ** 2) / ERROR ** 2);
  const operations = 4 * (MEMBERS + COUNT) + 60;
  const size = contributions.reduce((sum, value) => sum + Math.abs(value), 0);
  return eps * operations * (condition * size + 4 * SPREAD);
}
