/**
 * P Sᵀ and I + S P Sᵀ of the EnKF, of whatever is observed. An observation that is linear in the state has the column
 * (C ∘ X′X′ᵀ/(k − 1)) Sᵀ, the taper in model space [gain-gpu]. One that is not has C ∘ X′Y′ᵀ/(k − 1), Y′ the anomalies of
 * R^−½ H(x_l), the taper at the distance from its place. Both are those of one tapered covariance, that of the state with Y′
 * as a further part of it: the element between observations of both kinds is S times the column of the one that is not linear, and
 * I + S P Sᵀ is positive definite. No observation's column depends on what else is observed.
 *
 * The columns are made in blocks of observations that fit in memory; where one block is not enough they are made twice, for the
 * matrix and for the increment.
 */
import type { RealField } from '../../compute/backend.ts';
import { anomalies } from '../../operators/ensemble/index.ts';
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import { sparseProduct, isLinearlyObserved, type LinearisedOperator } from '../../operators/observation/index.ts';
import { observedEnsembleCovariance, observedEnsembleGain } from '../../operators/observed-ensemble/index.ts';
import { gainIncrement, observedCovariance } from '../../operators/stochastic-enkf/index.ts';
import type { MethodContext, ObservedPositions } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import { lazily } from '../shared/explaining.ts';
import { methodSchema, type SettingsOf } from '../definition.ts';
import { filterFields } from '../shared/ensemble-filter.ts';
import { errorCorrelationField, assumedField } from '../shared/error-correlation-setting.ts';

/** @param whole what a filter does with R whole */
export function gainFilterFields(whole: string) {
  return { ...filterFields, errorCorrelation: errorCorrelationField(whole), assumed: assumedField };
}

export const enkfSchema = methodSchema(
  'enkf',
  {
    title: 'Stochastic EnKF',
    description: 'Ensemble Kalman filter with perturbed observations and a tapered gain.',
    gist: 'Ensemble Kalman filter with perturbed observations.',
  },
  gainFilterFields(
    'R is whole, perturbations are drawn with its Cholesky factor, and innovations are expected to have HPHᵀ + R.',
  ),
);

/** The settings of any filter with this gain. */
export type EnkfSettings = Omit<SettingsOf<typeof enkfSchema>, 'kind'> & { readonly kind: string };

/**
 * Which observations the EnKF sees through its members: those that are not linear in the state that is analysed, since a velocity
 * is observed, or a state on its way there. The others it sees by H itself, whatever is observed beside them.
 *
 * @returns 1 for an observation that is seen through the members, 0 for one that is linear in the state
 */
export function seenThroughMembers({ variable, moment }: Pick<ObservedPositions, 'variable' | 'moment'>): Float64Array {
  return Float64Array.from(variable, (name, j) => Number((moment?.[j] ?? 0) > 0 || !isLinearlyObserved(name)));
}

/** Bytes of P Sᵀ that are held at once. */
const BLOCK_BYTES = 128 * 2 ** 20;

/** Consecutive blocks of at most `largest` of `count` items. */
function blocksOf(count: number, largest: number): { readonly first: number; readonly size: number }[] {
  const blocks = [];
  for (let first = 0; first < count; first += largest) blocks.push({ first, size: Math.min(largest, count - first) });
  return blocks;
}

/**
 * @param fieldBytes that one field may have
 * @returns columns of P Sᵀ that are held at once
 */
export function gainColumns(observations: number, stateBytes: number, fieldBytes = BLOCK_BYTES): number {
  return Math.max(1, Math.min(observations, Math.floor(Math.min(BLOCK_BYTES, fieldBytes) / stateBytes)));
}

/** What the gain is made of, and where its matrix is, which stay their owner's. */
export interface GainParts {
  readonly tangent: LinearisedOperator;
  readonly departures: Pick<Departures, 'observedEnsemble' | 'inverseErrorStd'>;
  readonly fields: {
    /** Mean and members of the inflated forecast, [length] and [members][length]. */
    readonly mean: RealField;
    readonly anomalies: RealField;
    /** Work space, [capacity]. */
    readonly observedMean: RealField;
    /** [capacity][capacity] */
    readonly matrix: RealField;
  };
}

export interface TaperedGain {
  /** Takes up what this cycle observes: before anything of its analysis is queued. */
  follow(): Promise<void>;
  /** Queues I + S P Sᵀ, of the forecast's mean and anomalies and of what its members observe. */
  makeMatrix(): void;
  /** Queues x_l ← x_l + P Sᵀ z_l, after the matrix. */
  increase(ensemble: RealField, weights: RealField): void;
  dispose(): void;
}

/** @throws LimitError when a field does not fit the backend */
export async function createTaperedGain(
  method: EnkfSettings,
  { backend, model, observations, members, positions }: MethodContext,
  { tangent, departures, fields: { mean, anomalies: own, observedMean, matrix } }: GainParts,
): Promise<TaperedGain> {
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { capacity, nonzeros } = observations;
  const variables = model.variables.length;
  const length = variables * nx * ny;
  const geometry = {
    nx,
    ny,
    periodicX,
    periodicY,
    halfWidthCells: method.localisation.halfWidth / dx,
    aspect: dy / dx,
  };
  const taper = taperRow(geometry);
  const columns = gainColumns(capacity, length * backend.elementBytes, backend.limits.fieldBytes);
  const allocate = (label: string, size: number) => backend.allocate(`${method.label}.${label}`, 'real', size);
  const fields = {
    taper: allocate('taper', nx * ny),
    ones: allocate('ones', capacity),
    covariance: allocate('covariance', columns * length),
    observedAnomalies: allocate('observedAnomalies', members * capacity),
  };
  backend.write(fields.taper, taper.row);
  // The rows of the linearised observation operator are scaled by R^−½ already, and 0 where an observation is not used.
  backend.write(fields.ones, new Float64Array(capacity).fill(1));

  const extents = blocksOf(capacity, columns);
  const blocks = await Promise.all(
    extents.map(async ({ first, size }) => {
      const block = { length, observations: capacity, firstObservation: first, blockObservations: size };
      return {
        columns: await backend.prepare(gainCovariance, {
          nx,
          ny,
          periodicX,
          periodicY,
          variables,
          members,
          firstObservation: first,
          observations: size,
          nonzeros,
          reachX: taper.reachX,
          reachY: taper.reachY,
        }),
        rows: await backend.prepare(observedCovariance, { ...block, nonzeros }),
        increment: await backend.prepare(gainIncrement, { ...block, members }),
      };
    }),
  );

  /** @param keepsOthers whether other observations are linear in the state */
  async function throughMembers(keepsOthers: boolean) {
    const shape = { ...geometry, members, observations: capacity, keepsOthers };
    const prepared = {
      splitting: await backend.prepare(anomalies, { members, length: capacity }),
      covarying: await backend.prepare(observedEnsembleCovariance, { ...shape, inflation: 1 }),
    };
    const gains = await Promise.all(
      extents.map(({ first, size }) =>
        backend.prepare(observedEnsembleGain, {
          ...shape,
          variables,
          firstObservation: first,
          blockObservations: size,
        }),
      ),
    );
    return {
      ...prepared,
      gains,
      dispose: () => [...Object.values(prepared), ...gains].forEach((owned) => owned.dispose()),
    };
  }

  /** R^−½ of those that are seen through the members, and 0 of the others: a diagonal matrix times R^−½. */
  async function selection() {
    const diagonal = {
      indptr: backend.allocate(`${method.label}.selectionRows`, 'index', capacity + 1),
      indices: backend.allocate(`${method.label}.selectionColumns`, 'index', capacity),
      data: allocate('selection', capacity),
    };
    const output = allocate('selectedErrorStd', capacity);
    const selecting = await backend.prepare(sparseProduct, {
      rows: capacity,
      columns: capacity,
      nonzeros: capacity,
      batch: 1,
    });
    backend.write(
      diagonal.indptr,
      Uint32Array.from({ length: capacity + 1 }, (_, j) => j),
    );
    backend.write(
      diagonal.indices,
      Uint32Array.from({ length: capacity }, (_, j) => j),
    );
    return {
      output,
      select(isSelected: Float64Array): void {
        const data = new Float64Array(capacity);
        data.set(isSelected);
        backend.write(diagonal.data, data);
        selecting.run({ ...diagonal, input: departures.inverseErrorStd, output });
      },
      dispose: () => [selecting, output, ...Object.values(diagonal)].forEach((owned) => owned.dispose()),
    };
  }

  // Each is prepared for the first cycle that needs it.
  const lazy = {
    alone: lazily(() => throughMembers(false)),
    beside: lazily(() => throughMembers(true)),
    selection: lazily(selection),
  };
  /** How this cycle's observations are seen; all directly where no others are given. */
  let others: Awaited<ReturnType<typeof throughMembers>> | undefined;
  let selected: Awaited<ReturnType<typeof selection>> | undefined;
  let isThroughMembers: Float64Array = new Float64Array(0);
  let isAnyDirect = true;

  const othersErrorStd = (): RealField => selected?.output ?? departures.inverseErrorStd;

  /** Queues P Sᵀ of a block. */
  function columnsOf(index: number): void {
    const { taper: taperField, covariance: output, observedAnomalies } = fields;
    if (isAnyDirect) blocks[index].columns.run({ anomalies: own, taperRow: taperField, ...tangent.matrix, output });
    const { positionX, positionY } = observations;
    others?.gains[index].run({
      anomalies: own,
      observedAnomalies,
      inverseErrorStd: othersErrorStd(),
      positionX,
      positionY,
      output,
    });
  }

  return {
    async follow() {
      isThroughMembers = seenThroughMembers(positions());
      const isAny = isThroughMembers.includes(1);
      isAnyDirect = !isAny || isThroughMembers.includes(0);
      others = isAny ? await (isAnyDirect ? lazy.beside : lazy.alone).get() : undefined;
      selected = isAny && isAnyDirect ? await lazy.selection.get() : undefined;
    },
    makeMatrix() {
      const { covariance, ones, observedAnomalies } = fields;
      const { observedEnsemble, inverseErrorStd } = departures;
      others?.splitting.run({ ensemble: observedEnsemble, mean: observedMean, anomalies: observedAnomalies });
      selected?.select(isThroughMembers);
      if (isAnyDirect) {
        tangent.linearise(mean, inverseErrorStd);
        blocks.forEach(({ rows }, index) => {
          columnsOf(index);
          rows.run({ covariance, ...tangent.matrix, inverseErrorStd: ones, matrix });
        });
      }
      const { positionX, positionY } = observations;
      others?.covarying.run({
        observedAnomalies,
        inverseErrorStd: othersErrorStd(),
        positionX,
        positionY,
        matrix,
      });
    },
    increase(ensemble, weights) {
      const { covariance, ones } = fields;
      blocks.forEach(({ increment }, index) => {
        // One block alone is still there from the matrix, where it was made for it.
        if (!isAnyDirect || blocks.length > 1) columnsOf(index);
        increment.run({ covariance, inverseErrorStd: ones, weights, ensemble });
      });
    },
    dispose() {
      for (const owned of [...Object.values(fields), ...Object.values(lazy)]) owned.dispose();
      for (const { columns: made, rows, increment } of blocks)
        [made, rows, increment].forEach((owned) => owned.dispose());
    },
  };
}
