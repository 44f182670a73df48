/** The tuning surface of [magic-filter]: how quick a pass is in each pattern, and by the length of its filter, found by the tuner. */
import type { Backend } from '../../compute/backend.ts';
import { tuneByParts, tuningTask, type TriedVariant, type TuningTask } from '../../compute/tuning/index.ts';
import type { DeviceTraits } from '../../compute/variants.ts';
import { BackendError } from '../../errors.ts';
import { MAGIC_FILTER } from './benchmarks.ts';
import { filterPasses, passesOf, patternsOf, type PassElement, type PassesParameters } from './pass/index.ts';

/** 32 columns × 5040 lines, as in Tables II and III. */
const [COLUMNS, LINES] = [32, 5040];
/** Patterns in which a copy is measured, at most. */
const COPIES = 4;

export interface SurfaceQuestion {
  readonly element: PassElement;
  readonly transposed: boolean;
  /** Numbers of taps, the first of which is measured first. */
  readonly lengths: readonly number[];
  readonly milliseconds: number;
}

interface SurfaceCell {
  /** Outputs of a block: so many lines of so many columns. */
  readonly columns: number;
  readonly lines: number;
  /** 10⁹ operations a second; null where it was not measured. */
  readonly gigaflops: number | null;
  /** Why it could not be. */
  readonly problem?: string;
}

/** The patterns with a filter of so many taps. */
export interface Surface {
  readonly length: number;
  readonly cells: readonly SurfaceCell[];
  /** What a copy of the array would allow: 10⁹ operations a second if a pass took as long; 0 while that is not known. */
  readonly copyGigaflops: number;
}

/** By the length of the filter, as far as they were begun. */
export type SurfaceAnswer = readonly Surface[];

function parametersOf(length: number, transposed: boolean): PassesParameters {
  const filter =
    length === MAGIC_FILTER.taps.length
      ? MAGIC_FILTER
      : { taps: Array.from({ length }, () => 1 / length), lower: Math.floor((length - 1) / 2) };
  return { n1: 1, n2: COLUMNS, n3: LINES, axes: 1, transposed, ...filter };
}

interface Tuning {
  readonly task: TuningTask;
  readonly surfaceOf: (candidates: readonly TriedVariant[], copyMilliseconds: number) => Surface;
}

function tuningOf(backend: Backend, element: PassElement, transposed: boolean, length: number): Tuning {
  const parameters = parametersOf(length, transposed);
  const variants = patternsOf(backend.name, element);
  const { tuning } = backend;
  if (!variants || !tuning) throw new BackendError(`the ${backend.name} backend has one form of the pass; use another`);
  const subject = { pass: passesOf(parameters)[0], element };
  const operator = filterPasses[element];
  const { flops } = operator.cost(parameters, backend.elementBytes);
  const points = COLUMNS * LINES;
  const patterns = variants.offered(subject, tuning.traits);
  return {
    task: tuningTask({
      operator,
      parameters,
      variants,
      subject,
      size: `${COLUMNS} × ${LINES}, ${length} taps`,
      arrays: { input: () => new Float64Array(points).fill(1), output: points },
    }),
    surfaceOf: (candidates, copyMilliseconds) => ({
      length,
      copyGigaflops: flops / copyMilliseconds / 1e6,
      cells: candidates.flatMap(({ variant, milliseconds, problem }) => {
        const { form, columns, lines } = patterns[variant];
        if (form === 'simple') return [];
        const gigaflops = milliseconds === null ? null : flops / milliseconds / 1e6;
        return [{ columns, lines, gigaflops, ...(problem !== undefined && { problem }) }];
      }),
    }),
  };
}

/**
 * Measures the patterns by the search that chooses the program's own kernels; and first a filter of one tap, which copies the array.
 *
 * @param report receives what is known, after each part
 * @throws BackendError if the backend has one form of the pass; LimitError if it has no such elements
 */
export async function tuningSurface(
  backend: Backend,
  { element, transposed, lengths, milliseconds }: SurfaceQuestion,
  report: (answer: SurfaceAnswer) => void = () => undefined,
): Promise<SurfaceAnswer> {
  const identity = tuningOf(backend, element, false, 1).task;
  const copy = { ...identity, candidates: (traits: DeviceTraits) => identity.candidates(traits).slice(0, COPIES) };
  const tunings = lengths.map((length) => tuningOf(backend, element, transposed, length));
  // Each has its own time, so that at least its first pattern is measured.
  const options = { budgetMilliseconds: milliseconds / (1 + lengths.length), mostCandidates: Infinity };
  let copyMilliseconds = Infinity;
  for await (const { candidates } of tuneByParts(backend, [copy], options)) {
    copyMilliseconds = Math.min(...candidates.map((each) => each.milliseconds ?? Infinity));
  }
  const surfaces: Surface[] = [];
  for (const [at, { task, surfaceOf }] of tunings.entries()) {
    for await (const { candidates } of tuneByParts(backend, [task], options)) {
      surfaces[at] = surfaceOf(candidates, copyMilliseconds);
      report([...surfaces]);
    }
  }
  return surfaces;
}
