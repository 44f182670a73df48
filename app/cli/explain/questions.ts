/** What `shoal explain` asks a run, by its options. */
import { EXPLANATION_KINDS, modelKindDefinition } from '../../../engine/index.ts';
import type { AskedObservation, ExplanationKind, MethodQuestion, Scenario } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';

export interface Cell {
  readonly x: number;
  readonly y: number;
}

export interface Subject {
  /** Cell of the grid. */
  readonly cell?: Cell | undefined;
  /** Index of an observation of the cycle, counted from 0. */
  readonly observation?: number | undefined;
  /** What the observation is taken to have read. */
  readonly value?: number | undefined;
  /** Variable of the state; default: the first. */
  readonly variable?: string | undefined;
  /** Whether the minimisations are asked about as well: their answers are long. */
  readonly minimisation?: boolean | undefined;
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

/** @throws UsageError for a cell that the grid does not have, and where a kind has nothing to be about */
export function questionsOf(subject: Subject, { grid: { nx, ny }, model }: Scenario): readonly MethodQuestion[] {
  const [first] = modelKindDefinition(model).variables;
  const { cell, observation, value, variable = first.name, minimisation = false } = subject;
  // To ask for it by the one option is to ask for it by the other.
  const kinds = subject.kinds && minimisation ? [...subject.kinds, 'minimisation'] : subject.kinds;
  if (cell && !(cell.x < nx && cell.y < ny)) {
    throw new UsageError(
      `--at ${cell.x},${cell.y}: the grid has ${nx} × ${ny} cells, allowed: 0,0 to ${nx - 1},${ny - 1}`,
    );
  }
  if (value !== undefined && observation === undefined) {
    throw new UsageError('--value: name the observation that is taken to have read it by --observation i');
  }
  const [hasCell, hasObservation] = [cell !== undefined, observation !== undefined];
  const given = { cell: hasCell, observation: hasObservation, analysis: hasCell || hasObservation, minimisation };
  for (const kind of subject.kinds ?? []) {
    const about = ABOUT[kind];
    if ((about === 'cell' || about === 'observation') && !given[about])
      throw new UsageError(`--kind ${kind}: give ${OPTIONS[about]} with it`);
  }
  if (!kinds && !given.cell && !given.observation && !minimisation) {
    throw new UsageError(`nothing is asked; give ${OPTIONS.cell}, ${OPTIONS.observation}, both, or --minimisation`);
  }
  const asked: AskedObservation = { index: observation ?? 0, ...(value !== undefined && { value }) };
  const at = cell ?? { x: 0, y: 0 };
  const questions: Readonly<Record<ExplanationKind, MethodQuestion>> = {
    'covariance-column': { kind: 'covariance-column', variable, cell: at },
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
