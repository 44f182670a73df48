/**
 * A column of the tapered sample covariance, ρ C ∘ X′X′ᵀ/(k − 1), of an ensemble on the backend: C the Gaspari–Cohn taper of the
 * distance, ρ the inflation. It is made by the operator that makes the gain of the stochastic EnKF, with the unit vector of one
 * element in place of an observation.
 */
import type { RealField } from '../../compute/backend.ts';
import { anomalies, ensembleVariance } from '../../operators/ensemble/index.ts';
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import { covariancesWith, elementOf } from '../explanation.ts';
import type { CovarianceColumn, MethodQuestion } from '../explanation.ts';
import type { MethodContext } from '../method.ts';

export interface TaperedColumn {
  /** Queues the column of an element. @returns it, [variable][y][x], good until another is queued */
  queue(element: number, forecast: RealField): RealField;
  /** @throws QuestionError if there is no such variable or cell */
  answer(question: MethodQuestion<'covariance-column'>, forecast: RealField): Promise<CovarianceColumn>;
  dispose(): void;
}

/** @param workspace anomalies [members][variable][y][x] of the method that are free between two analyses */
export async function createTaperedColumn(
  label: string,
  { backend, model, members }: MethodContext,
  { halfWidth, inflation }: { readonly halfWidth: number; readonly inflation: number },
  workspace: RealField,
): Promise<TaperedColumn> {
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const length = model.variables.length * nx * ny;
  const taper = taperRow({ nx, ny, periodicX, periodicY, halfWidthCells: halfWidth / dx, aspect: dy / dx });
  const real = (name: string, size: number) => backend.allocate(`${label}.column.${name}`, 'real', size);
  const index = (name: string, size: number) => backend.allocate(`${label}.column.${name}`, 'index', size);
  const fields = {
    mean: real('mean', length),
    taperRow: real('taper', nx * ny),
    output: real('values', length),
    data: real('one', 1),
    indptr: index('row', 2),
    indices: index('element', 1),
  };
  backend.write(fields.taperRow, taper.row);
  backend.write(fields.data, [1]);
  backend.write(fields.indptr, [0, 1]);
  const splitting = await backend.prepare(anomalies, { members, length, factor: Math.sqrt(inflation) });
  const varying = await backend.prepare(ensembleVariance, { members, length, factor: inflation });
  const covarying = await backend.prepare(gainCovariance, {
    nx,
    ny,
    periodicX,
    periodicY,
    variables: model.variables.length,
    members,
    firstObservation: 0,
    observations: 1,
    nonzeros: 1,
    reachX: taper.reachX,
    reachY: taper.reachY,
  });
  const queue = (element: number, forecast: RealField): RealField => {
    const { mean, output, ...row } = fields;
    backend.write(fields.indices, [element]);
    splitting.run({ ensemble: forecast, mean, anomalies: workspace });
    covarying.run({ anomalies: workspace, output, ...row });
    return output;
  };
  return {
    queue,
    async answer(question, forecast) {
      const { mean } = fields;
      const element = elementOf(model, question);
      const values = await backend.read(queue(element, forecast));
      varying.run({ ensemble: forecast, variance: mean });
      const variances = await backend.read(mean);
      const variables = covariancesWith(model, question.variable);
      return { values, deviations: variances.map((variance) => Math.sqrt(variance)), variables, element };
    },
    dispose() {
      for (const owned of [splitting, varying, covarying, ...Object.values(fields)]) owned.dispose();
    },
  };
}
