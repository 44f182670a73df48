/** How far the states that a smoother carries are from the truth of their own time. */
import type { Backend, RealField } from '../compute/backend.ts';
import type { PastStates } from '../methods/index.ts';
import { ensembleScores, scoresLayout } from '../operators/statistics/index.ts';
import type { SmoothedErrors } from './events.ts';

/** The truths of the cycles before, the latest first. */
export interface PastTruths {
  readonly kept: readonly RealField[];
  /** Queues the truth as that of one cycle ago; keeps `lag` of them. */
  keep(lag: number): void;
  /** Takes so many for kept. @returns them, to be written */
  makeRoom(count: number): readonly RealField[];
  dispose(): void;
}

/** @param label of the method. @param truth [variable][y][x] */
export function createPastTruths(backend: Backend, label: string, truth: RealField): PastTruths {
  const kept: RealField[] = [];
  const drop = (count: number): void => {
    for (const oldest of kept.splice(count)) oldest.dispose();
  };
  const allocate = (): RealField => backend.allocate(`${label}.pastTruth`, 'real', truth.length);
  return {
    kept,
    keep(lag) {
      drop(lag);
      const field = (kept.length === lag ? kept.pop() : undefined) ?? allocate();
      backend.copy(truth, field);
      kept.unshift(field);
    },
    makeRoom(count) {
      drop(count);
      while (kept.length < count) kept.push(allocate());
      return kept;
    },
    dispose: () => drop(0),
  };
}

export interface SmoothedScoresParts {
  readonly past: PastStates;
  readonly members: number;
  readonly truths: PastTruths;
  readonly names: readonly string[];
  /** The weights of the cells for an ensemble and a truth. @returns [y][x] */
  readonly weigh: (ensemble: RealField, truth: RealField) => RealField;
  /** Work space: where the mean is left. [variables][cells] */
  readonly mean: RealField;
}

export interface SmoothedScores {
  /** Queues and stages the scores of all that is kept. @returns them, when a `collect` has followed */
  stage(): () => Promise<SmoothedErrors>;
  dispose(): void;
}

export async function createSmoothedScores(
  backend: Backend,
  { past, members, truths, names, weigh, mean }: SmoothedScoresParts,
): Promise<SmoothedScores> {
  const { lag } = past;
  const size = names.length;
  const shape = { members, variables: size, cells: mean.length / size, scored: [] };
  const layout = scoresLayout(shape);
  const scoring = await backend.prepare(ensembleScores, shape);
  const scores = backend.allocate('diagnostics.smoothedScores', 'real', layout.length);
  /** [error, variance][lag][variable] */
  const packed = backend.allocate('diagnostics.smoothed', 'real', 2 * lag * size);
  return {
    stage() {
      const count = Math.min(past.kept.length, truths.kept.length);
      for (let index = 0; index < count; index++) {
        const [ensemble, truth] = [past.kept[index], truths.kept[index]];
        scoring.run({ ensemble, truth, weight: weigh(ensemble, truth), mean, scores });
        const keep = (sourceOffset: number, targetOffset: number): void =>
          backend.copy(scores, packed, { sourceOffset, targetOffset, length: size });
        keep(layout.meanSquareError, index * size);
        keep(layout.meanVariance, (lag + index) * size);
      }
      const staged = backend.stage(packed);
      // A rejection is reported by whatever waits for it.
      staged.catch(() => undefined);
      return async () => {
        const numbers = await staged;
        const roots = (from: number) =>
          Object.fromEntries(
            names.map((name, variable) => [
              name,
              Array.from({ length: count }, (_, index) => Math.sqrt(numbers[(from + index) * size + variable])),
            ]),
          );
        return { rmse: roots(0), spread: roots(lag) };
      };
    },
    dispose() {
      for (const owned of [scoring, scores, packed]) owned.dispose();
    },
  };
}
