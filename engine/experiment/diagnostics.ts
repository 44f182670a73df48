/**
 * What is measured of a method in every cycle. All of it is reduced where the states are; a cycle stages two short fields for
 * each method.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';
import {
  ensembleScores,
  INNOVATION_REPORT_LENGTH,
  innovationStatistics,
  rankHistogram,
  readInnovationReport,
  scoresLayout,
  wetCells,
} from '../operators/statistics/index.ts';
import { randomStream } from '../random/stream.ts';
import type { PastStates } from '../methods/index.ts';
import { createConsistencyDiagnostics, stageEach, type ScoredParts } from './consistency-diagnostics.ts';
import type { ByVariable, CycleDiagnostics, InnovationReport, SmoothedErrors } from './events.ts';
import { createRegionMeasures } from './regions.ts';

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

interface SmoothedScoresParts {
  readonly past: PastStates;
  readonly members: number;
  readonly truths: PastTruths;
  readonly names: readonly string[];
  /** The weights of the cells for an ensemble and a truth. @returns [y][x] */
  readonly weigh: (ensemble: RealField, truth: RealField) => RealField;
  /** Work space: where the mean is left. [variables][cells] */
  readonly mean: RealField;
}

interface SmoothedScores {
  /** Queues and stages the scores of all that is kept. @returns them, when a `collect` has followed */
  stage(): () => Promise<SmoothedErrors>;
  dispose(): void;
}

async function createSmoothedScores(
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

/** What a diagnostics measures; the rest of a cycle's diagnostics is known on the host. */
type Scores = Pick<
  CycleDiagnostics,
  | 'rmse'
  | 'meanError'
  | 'rmsePattern'
  | 'spread'
  | 'crps'
  | 'fairCrps'
  | 'rankHistogram'
  | 'innovation'
  | 'inflation'
  | 'smoothed'
  | 'regions'
  | 'consistency'
>;

/**
 * To be called when a `collect` has followed.
 *
 * @param minimisation of the analysis, if there was one
 */
export type StagedScores = (minimisation?: MinimisationReport) => Promise<Scores>;

export interface Diagnostics {
  /** Queues what is measured of the forecast, and of its departures if there are observations. */
  forecast(cycle: number, hasObservations: boolean): void;
  /** Queues what is measured of the analysis, and stages all of the cycle's numbers. */
  analysis(hasObservations: boolean): StagedScores;
  dispose(): void;
}

/** Cells between those whose ranks are counted, along each axis: neighbours say the same. */
const RANK_STRIDE = 8;

type Stage = 'forecast' | 'analysis';

/** The weight of each cell in means over the basin: 1, or 0 where truth and members are dry. */
async function createWeights(backend: Backend, { model, method }: ScoredParts) {
  const { grid, bed, dryDepth, variables } = model;
  const cells = grid.nx * grid.ny;
  const weight = backend.allocate('diagnostics.weight', 'real', cells);
  backend.write(weight, new Float64Array(cells).fill(1));
  if (bed === undefined || dryDepth === undefined) {
    return { weight, update: () => undefined, dispose: () => weight.dispose() };
  }
  const ground = backend.allocate('diagnostics.bed', 'real', cells);
  backend.write(ground, bed);
  const weighing = await backend.prepare(wetCells, {
    members: method.members,
    variables: variables.length,
    cells,
    dryDepth,
  });
  return {
    weight,
    update: (ensemble: RealField, truth: RealField) => weighing.run({ ensemble, truth, bed: ground, weight }),
    dispose() {
      for (const owned of [weight, ground, weighing]) owned.dispose();
    },
  };
}

/** χ²/p of an analysis, or undefined if it is not available. */
function chiSquareOf(
  { count }: { readonly count: number },
  misfit: { readonly value: number; readonly failed: boolean } | undefined,
  minimisation: MinimisationReport | undefined,
): number | undefined {
  const value = minimisation ? 2 * (minimisation.cost.at(-1) ?? Number.NaN) : misfit?.value;
  if (value === undefined || misfit?.failed || count === 0) return undefined;
  return value / count;
}

function innovationReport(report: Float64Array, chiSquare: (count: number) => number | undefined): InnovationReport {
  const { variance, ...rest } = readInnovationReport(report);
  return { ...rest, standardDeviation: Math.sqrt(variance), chiSquare: chiSquare(rest.count) };
}

function named(variables: readonly string[], of: (index: number) => number): ByVariable {
  return Object.fromEntries(variables.map((variable, index) => [variable, of(index)]));
}

function atBoth(of: (when: Stage) => ByVariable): Readonly<Record<Stage, ByVariable>> {
  return { forecast: of('forecast'), analysis: of('analysis') };
}

/** @param truths of the cycles before, of a smoother */
export async function createDiagnostics(
  backend: Backend,
  parts: ScoredParts,
  truths?: PastTruths,
): Promise<Diagnostics> {
  const { model, truth, method, observations, compared, seed, streamName } = parts;
  const { nx, ny } = model.grid;
  const names = model.variables.map(({ name }) => name);
  const { members, state, departures } = method;
  // A model that has none of the compared variables is scored by its first.
  const known = compared.filter((name) => names.includes(name));
  const scoredNames = known.length > 0 ? known : names.slice(0, 1);
  const scored = scoredNames.map((name) => names.indexOf(name));
  const shape = { members, variables: names.length, cells: nx * ny, scored };
  const layout = scoresLayout(shape);
  const strides = { strideX: Math.min(RANK_STRIDE, nx), strideY: Math.min(RANK_STRIDE, ny) };

  const weights = await createWeights(backend, parts);
  const scoring = await backend.prepare(ensembleScores, shape);
  const regions = await createRegionMeasures(backend, { nx, ny, members, names });
  const counting = await backend.prepare(rankHistogram, {
    members,
    variables: names.length,
    nx,
    ny,
    ...strides,
    scored,
  });
  const describing = await backend.prepare(innovationStatistics, { observations: observations.capacity });
  const consistency = await createConsistencyDiagnostics(
    backend,
    parts,
    scoredNames.map((name, row) => ({ name, index: scored[row] })),
  );
  const bins = members + 1;
  const allocate = (name: string, length: number) => backend.allocate(`diagnostics.${name}`, 'real', length);
  const fields = {
    forecast: allocate('forecastScores', layout.length),
    analysis: allocate('analysisScores', layout.length),
    innovation: allocate('innovation', INNOVATION_REPORT_LENGTH),
  };
  const ranks = backend.allocate('diagnostics.ranks', 'index', scored.length * bins);
  const key = backend.allocate('diagnostics.key', 'index', 2);

  const { past } = method;
  const weigh = (ensemble: RealField, of: RealField): RealField => {
    weights.update(ensemble, of);
    return weights.weight;
  };
  const smoothed =
    past && truths
      ? await createSmoothedScores(backend, { past, members, truths, names, weigh, mean: consistency.means.analysis })
      : undefined;

  /** @returns the weights of the cells */
  function score(when: Stage): RealField {
    const weight = weigh(state, truth);
    scoring.run({ ensemble: state, truth, weight, mean: consistency.means[when], scores: fields[when] });
    return weight;
  }

  /** Stages all numbers of a cycle. */
  function stageNumbers(hasObservations: boolean) {
    const { misfit, inflation } = method;
    return Promise.all([
      stageEach(backend, {
        ...consistency.analysis(hasObservations),
        forecast: fields.forecast,
        analysis: fields.analysis,
        regions: regions.sums,
        innovation: hasObservations ? fields.innovation : undefined,
        misfit: hasObservations ? misfit?.value : undefined,
        inflation: hasObservations ? inflation?.mean : undefined,
      }),
      stageEach(backend, { ranks, misfitStatus: hasObservations ? misfit?.status : undefined }),
    ]);
  }

  function scoresOf(
    [numbers, counts]: Awaited<ReturnType<typeof stageNumbers>>,
    minimisation: MinimisationReport | undefined,
  ): Scores {
    const { innovation, inflation } = numbers;
    const { ranks: rankCounts = new Uint32Array(scored.length * bins), misfitStatus } = counts;
    const part = (when: Stage): Float64Array => numbers[when] ?? new Float64Array(layout.length);
    type Score = Exclude<keyof typeof layout, 'length'>;
    const values = (score: Score, variables: readonly string[] = names) =>
      atBoth((when) => named(variables, (index) => part(when)[layout[score] + index]));
    const roots = (score: Score) =>
      atBoth((when) => named(names, (index) => Math.sqrt(part(when)[layout[score] + index])));
    const misfit = numbers.misfit && { value: numbers.misfit[0], failed: misfitStatus?.[0] !== 0 };
    return {
      rmse: roots('meanSquareError'),
      meanError: values('meanError'),
      rmsePattern: roots('patternSquareError'),
      spread: members > 1 ? roots('meanVariance') : { forecast: {}, analysis: {} },
      crps: values('crps', scoredNames),
      fairCrps: values('fairCrps', scoredNames),
      rankHistogram: Object.fromEntries(
        scoredNames.map((variable, row) => [variable, Array.from(rankCounts.subarray(row * bins, (row + 1) * bins))]),
      ),
      innovation: innovation && innovationReport(innovation, (count) => chiSquareOf({ count }, misfit, minimisation)),
      regions: numbers.regions && regions.read(numbers.regions),
      consistency: consistency.read(numbers),
      ...(inflation && { inflation: inflation[0] }),
    };
  }

  return {
    forecast(cycle, hasObservations) {
      score('forecast');
      const stream = randomStream(seed, `diagnostics.${streamName}.ranks`, cycle);
      backend.write(key, [stream.integer(2 ** 32), stream.integer(2 ** 32)]);
      counting.run({ ensemble: state, truth, weight: weights.weight, key, counts: ranks });
      consistency.forecast(cycle, weights.weight, fields.forecast);
      if (!hasObservations) return;
      const { innovation, inverseErrorStd, variance } = departures;
      describing.run({
        innovation,
        inverseErrorStd,
        originalInverseErrorStd: observations.inverseErrorStd,
        backgroundVariance: variance,
        report: fields.innovation,
      });
    },
    analysis(hasObservations) {
      regions.run(state, truth, score('analysis'));
      const staged = stageNumbers(hasObservations);
      // A rejection is reported by whatever waits for what is staged.
      staged.catch(() => undefined);
      const ofPast = smoothed?.stage();
      return async (minimisation) => ({
        ...scoresOf(await staged, minimisation),
        ...(ofPast && { smoothed: await ofPast() }),
      });
    },
    dispose() {
      const prepared = [scoring, counting, describing];
      const owned = [weights, consistency, ranks, key, ...Object.values(fields)];
      for (const one of [...prepared, ...owned]) one.dispose();
      smoothed?.dispose();
      regions.dispose();
    },
  };
}
