/** The increment after an iteration as planes that the stage shows. */
import type { MinimisationCourse, MinimisationExplanation } from '../../../engine/index.ts';
import { joinRanges, rounded } from '../../fields/ranges.ts';
import type { Range } from '../../fields/ranges.ts';
import { incrementSymbol } from '../../document/views/shown-planes.ts';
import type { ShownPlanes } from '../../document/views/shown-planes.ts';

/** The minimisation as the run carried it out, and the one without preconditioning. */
export type CourseName = 'preconditioned' | 'plain';

export const COURSES = [
  { value: 'preconditioned', label: 'Preconditioned' },
  { value: 'plain', label: 'Unpreconditioned' },
] as const satisfies readonly { readonly value: CourseName; readonly label: string }[];

/** What the stage shows of a minimisation, beside the iteration. */
export interface IncrementPlanes {
  /** Range of the colours, the same for all iterations of both minimisations. */
  readonly range: Range;
  /** The increment that was kept last up to an iteration, [y][x]: always the same array for the same one. */
  readonly at: (course: CourseName, iteration: number) => Float32Array;
}

/** @returns where in what was kept an iteration is, the latest up to it; −1 before the first */
export function keptPlace({ kept }: Pick<MinimisationCourse, 'kept'>, iteration: number): number {
  return kept.findLastIndex((each) => each <= iteration);
}

/** @param cells of the grid */
export function incrementPlanes(explanation: MinimisationExplanation, cells: number): IncrementPlanes {
  const nothing = new Float32Array(cells);
  const planesOf = ({ kept, increments }: MinimisationCourse): readonly Float32Array[] =>
    Array.from(kept, (_, place) => increments.subarray(place * cells, (place + 1) * cells));
  const planes = { preconditioned: planesOf(explanation.preconditioned), plain: planesOf(explanation.plain) };
  const reaches = COURSES.map(({ value }) => explanation[value].largest).map((reach) => ({ from: -reach, to: reach }));
  return {
    range: rounded(joinRanges(reaches), 'diverging'),
    at: (course, iteration) => planes[course][keptPlace(explanation[course], iteration)] ?? nothing,
  };
}

/** @param method its label */
export function shownIncrement(
  method: string,
  { variable }: Pick<MinimisationExplanation, 'variable'>,
  { range, at }: IncrementPlanes,
  course: CourseName,
  iteration: number,
): ShownPlanes {
  const without = course === 'plain' ? ', unpreconditioned' : '';
  return {
    title: `Increment after iteration ${iteration}${without}`,
    symbol: incrementSymbol(variable.name),
    unit: variable.unit,
    description: 'The increment as far as the minimisation of 3D-Var had come.',
    scale: 'diverging',
    range: [range.from, range.to],
    planes: new Map([[method, at(course, iteration)]]),
    lift: 'value',
    marks: [],
  };
}
