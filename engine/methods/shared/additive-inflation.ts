/**
 * Additive inflation: after each analysis every member receives a smooth random surface of its own, drawn as the background's
 * perturbation is. The draws are centred over the members, so that the mean stays, and their sample covariance is the stated one on
 * average: it opens directions that no analysis and no factor can, which is what errors of the model do.
 */
import type { RealField } from '../../compute/backend.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { anomalies, ensembleMean, perturbation } from '../../operators/ensemble/index.ts';
import { balanceCoefficient, geostrophicBalance } from '../../operators/geostrophic-balance/index.ts';
import { recursiveFilter, smoothSurfaceFilter } from '../../operators/recursive-filter/index.ts';
import { segmentTable, standardNormal } from '../../operators/standard-normal/index.ts';
import { streamWords } from '../../random/stream.ts';
import { balanceProblem, farthest, lengthUnit, perturbationSection, tidy } from '../../settings/index.ts';
import type { PerturbationSettings, Problem, Situation } from '../../settings/index.ts';
import type { MethodContext } from '../method.ts';
import { createWetIncrement, thinDepthOf } from './wet-increment.ts';

/** Standard deviations of the deepest trough of a draw. */
const DEEPEST = 3;

export const additiveField = perturbationSection({
  title: 'Additive inflation',
  description: 'Random smooth surfaces, added to the members after each analysis; their mean is 0.',
});

export interface AdditiveSettings {
  readonly additive: PerturbationSettings;
}

export function additiveProblems({ additive }: AdditiveSettings, situation: Situation): Problem[] {
  const { standardDeviation, balance } = additive;
  const unbalanced = standardDeviation === 0 ? undefined : balanceProblem(balance, situation);
  return unbalanced === undefined ? [] : [{ path: ['additive', 'balance'], message: unbalanced }];
}

/** Draws that differ from cell to cell, lift everything alike, or dry the basin. */
export function additiveWarnings({ additive }: AdditiveSettings, situation: Situation): Problem[] {
  const { standardDeviation, length } = additive;
  if (standardDeviation === 0) return [];
  const unit = lengthUnit(situation.model);
  const cell = Math.max(situation.grid.dx, situation.grid.dy);
  const reach = farthest(situation);
  const path = ['additive', 'length'];
  const problems: Problem[] = [];
  if (length < cell / 2) {
    const message = `${length}${unit} is less than half a cell (${cell}${unit}); every cell gets a number of its own`;
    problems.push({ path, message });
  }
  if (length > reach / 2) {
    const message = `${length}${unit} is more than half of the basin (${tidy(reach)}${unit}); everything is lifted alike`;
    problems.push({ path, message });
  }
  const { depth } = situation;
  if (depth !== undefined && DEEPEST * standardDeviation > depth) {
    const message = `${standardDeviation} m in water ${tidy(depth)} m deep: draws of ${DEEPEST} of them dry the bottom`;
    problems.push({ path: ['additive', 'standardDeviation'], message });
  }
  return problems;
}

export interface AdditiveInflation {
  /** Queues `ensemble`, [members][length], with the draws of a cycle on top. */
  apply(ensemble: RealField, cycle: number): void;
  dispose(): void;
}

/** @returns undefined if nothing is added. @param length elements of a member */
export async function createAdditiveInflation(
  { label, additive }: AdditiveSettings & { readonly label: string },
  context: MethodContext,
  length: number,
): Promise<AdditiveInflation | undefined> {
  const { standardDeviation, balance } = additive;
  if (standardDeviation === 0) return undefined;
  const { backend, model, members, seed, streamName = label } = context;
  const { grid, bed } = model;
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const cells = nx * ny;
  const { filter, varianceX, varianceY } = smoothSurfaceFilter(additive.length, grid, members);
  const allocate = (name: string, size: number) => backend.allocate(`${label}.additive.${name}`, 'real', size);
  const fields = {
    noise: allocate('noise', members * cells),
    surfaces: allocate('surfaces', members * cells),
    noiseMean: allocate('noiseMean', cells),
    scale: allocate('scale', cells),
    mean: allocate('mean', length),
    surface: allocate('surface', length),
    increment: allocate('increment', length),
    increments: allocate('increments', members * length),
  };
  const streams = backend.allocate(`${label}.additive.streams`, 'index', segmentTable([], 1).length);
  backend.write(
    fields.scale,
    Float64Array.from({ length: cells }, (_, cell) => {
      const variance = varianceX[cell % nx] * varianceY[Math.floor(cell / nx)];
      return standardDeviation / Math.sqrt(variance);
    }),
  );
  // Beyond the surface nothing but what the balance brings.
  backend.write(fields.surface, new Float64Array(length));
  const drawing = await backend.prepare(standardNormal, { length: members * cells, segments: 1 });
  const centring = await backend.prepare(anomalies, { members, length: cells });
  const smoothing = await backend.prepare(recursiveFilter, filter);
  const scaling = await backend.prepare(diagonal, { length: cells, batch: members });
  const averaging = await backend.prepare(ensembleMean, { members, length });
  const adding = await backend.prepare(perturbation, { members, length });
  const wet = await createWetIncrement(context, thinDepthOf(standardDeviation, 0, context.gravity));
  const balancing =
    balance === 'geostrophic'
      ? {
          coefficient: allocate('balance', cells),
          operator: await backend.prepare(geostrophicBalance, {
            nx,
            ny,
            dx,
            dy,
            periodicX,
            periodicY,
            transpose: false,
          }),
        }
      : undefined;
  if (balancing) {
    backend.write(balancing.coefficient, balanceCoefficient(grid, bed ?? new Float64Array(cells), context));
  }

  /** Queues `surfaces`, [members][y][x], m, centred over the members. */
  function draw(cycle: number): void {
    const { noise, surfaces, noiseMean, scale } = fields;
    const words = streamWords(seed, `methods.${streamName}.additive`, cycle);
    backend.write(streams, segmentTable([{ words, first: 0 }], 1));
    drawing.run({ streams, output: noise });
    centring.run({ ensemble: noise, mean: noiseMean, anomalies: surfaces });
    smoothing.run({ input: surfaces, output: noise });
    scaling.run({ scale, input: noise, output: surfaces });
  }

  return {
    apply(ensemble, cycle) {
      const { surfaces, surface, increment, increments, mean } = fields;
      draw(cycle);
      averaging.run({ ensemble, mean });
      for (let member = 0; member < members; member++) {
        backend.copy(surfaces, surface, { sourceOffset: member * cells, length: cells });
        if (balancing) {
          balancing.operator.run({ coefficient: balancing.coefficient, input: surface, output: increment });
        } else backend.copy(surface, increment);
        // Land stays dry: what is dry in the mean is so in every member. Thin water stays: the draws shrink with the depth.
        wet.project(increment, mean);
        backend.copy(increment, increments, { targetOffset: member * length });
      }
      adding.run({ noise: increments, ensemble });
    },
    dispose() {
      for (const owned of [drawing, centring, smoothing, scaling, averaging, adding, wet, streams]) owned.dispose();
      for (const owned of Object.values(fields)) owned.dispose();
      if (balancing) for (const owned of Object.values(balancing)) owned.dispose();
    },
  };
}

/** @returns reals on the backend. @param cells of the grid. @param state elements of a member */
export function additiveMemory({ additive }: AdditiveSettings, cells: number, state: number, members: number): number {
  if (additive.standardDeviation === 0) return 0;
  return members * (2 * cells + state) + 3 * state + 2 * cells;
}
