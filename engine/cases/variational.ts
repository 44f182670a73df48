/**
 * Cases of 3D-Var in control space: δx = V v with V = amplitude · RF_y RF_x and (I + VᵀHᵀR⁻¹HV) v = VᵀHᵀR⁻¹d. The amplitude
 * is taken into the matrix that maps filtered controls to scaled departures, and applied to the increment at the end.
 */
import { z } from 'zod';
import type { Backend, Field, Prepared, RealField } from '../compute/backend.ts';
import { createMinimiser } from '../operators/conjugate-gradient/index.ts';
import { sparseAdjoint, sparseProduct, transposeStructure } from '../operators/observation/index.ts';
import { recursiveFilter } from '../operators/recursive-filter/index.ts';
import {
  assertAxes,
  assertPositive,
  assertShape,
  gridShape,
  iterations,
  positive,
  caseOperator,
} from './case-operator.ts';
import { filterParameters, singlePointGain } from './filters.ts';
import { H_INPUTS, sparseMatrix, type CompressedRows } from './sparse.ts';

/** Iterations between two looks at the residual. */
const CHECK_EVERY = 5;
const DEFAULT_CG = { tolerance: 1e-10, maxIterations: 200 };

const parameters = z.strictObject({
  shape: gridShape,
  sigma: positive,
  iterations,
  amplitude: positive,
  cg: z
    .strictObject({
      tolerance: z.number().gt(0).lt(1).default(DEFAULT_CG.tolerance),
      maxIterations: z.int().min(1).max(100_000).default(DEFAULT_CG.maxIterations),
    })
    .default(DEFAULT_CG),
});

type Given = z.output<typeof parameters>;

/** What is prepared and allocated for one case, and freed together. */
interface Keeper {
  readonly keep: <Owned extends { dispose(): void }>(owned: Owned) => Owned;
  readonly dispose: () => void;
}

function keeper(): Keeper {
  const kept: { dispose(): void }[] = [];
  return {
    keep: (owned) => {
      kept.push(owned);
      return owned;
    },
    dispose: () => {
      for (const owned of kept.reverse()) owned.dispose();
    },
  };
}

interface Problem {
  /** H, each row over its observation's standard deviation, times the amplitude. */
  readonly matrix: CompressedRows;
  /** The innovation over the standard deviation. */
  readonly departures: Float64Array;
}

/** @returns v's filtered field RF_y RF_x v, and the report's last costs */
async function solve(backend: Backend, given: Given, { matrix, departures }: Problem) {
  const [ny, nx] = given.shape;
  const length = ny * nx;
  const observations = departures.length;
  const { keep, dispose } = keeper();
  try {
    const prepareFilter = async (transpose: boolean): Promise<Prepared<{ input: 'real'; output: 'real' }>> =>
      keep(await backend.prepare(recursiveFilter, { ...filterParameters({ nx, ny, batch: 1 }, given), transpose }));
    const write = <Kind extends 'real' | 'index'>(name: string, kind: Kind, values: ArrayLike<number>): Field<Kind> => {
      const field = keep(backend.allocate(`variational.${name}`, kind, Math.max(1, values.length)));
      if (values.length > 0) backend.write(field, values);
      return field;
    };
    const forward = await prepareFilter(false);
    const adjoint = await prepareFilter(true);
    const sparse = { rows: observations, columns: length, nonzeros: matrix.data.length, batch: 1 };
    const multiplying = keep(await backend.prepare(sparseProduct, sparse));
    const adjoining = keep(await backend.prepare(sparseAdjoint, sparse));
    const columns = transposeStructure(matrix, length);
    const indptr = write('indptr', 'index', matrix.indptr);
    const indices = write('indices', 'index', matrix.indices);
    const data = write('data', 'real', matrix.data);
    const columnStart = write('columnStart', 'index', columns.columnStart);
    const entryRow = write('entryRow', 'index', columns.entryRow);
    const entryPosition = write('entryPosition', 'index', columns.entryPosition);
    const departure = write('departures', 'real', departures);
    const empty = (name: string, size: number): RealField =>
      keep(backend.allocate(`variational.${name}`, 'real', size));
    const observed = empty('observed', observations);
    const field = empty('field', length);
    const gradient = empty('gradient', length);
    const solution = empty('solution', length);

    const toControl = (input: RealField, output: RealField): void => {
      adjoining.run({ columnStart, entryRow, entryPosition, data, input, output: field });
      adjoint.run({ input: field, output });
    };
    toControl(departure, gradient);
    const { tolerance, maxIterations } = given.cg;
    const options = { length, observations, tolerance, maxIterations, checkEvery: CHECK_EVERY, shift: 1 };
    const minimiser = keep(await createMinimiser(backend, options));
    const report = await minimiser.minimise({
      applyHessian: (direction, product) => {
        forward.run({ input: direction, output: field });
        multiplying.run({ indptr, indices, data, input: field, output: observed });
        toControl(observed, product);
      },
      gradient,
      solution,
      departures: departure,
    });
    forward.run({ input: solution, output: field });
    return { filtered: Float64Array.from(await backend.read(field)), report };
  } finally {
    dispose();
  }
}

export const variationalCase = caseOperator({
  name: 'variational',
  parameters,
  inputs: ['innovation', 'observationErrorVariance'],
  optionalInputs: H_INPUTS,
  outputs: ['increment', 'cost'],
  async run(backend, given, inputs) {
    const [ny, nx] = given.shape;
    const { innovation, observationErrorVariance } = inputs;
    const { indptr, indices, data } = sparseMatrix(inputs, { columns: ny * nx, rows: innovation.data.length });
    const observations = indptr.length - 1;
    assertAxes(innovation, [1], 'one number an observation');
    assertShape(innovation, [observations], 'one number for each row of H');
    assertShape(observationErrorVariance, [observations], 'one number for each row of H');
    assertPositive(observationErrorVariance);
    const inverseErrorStd = observationErrorVariance.data.map((variance) => 1 / Math.sqrt(variance));
    const amplitude = given.amplitude * (ny === 1 ? await singlePointGain(backend, given) : 1);
    const scaled = data.slice();
    for (let row = 0; row < observations; row++) {
      for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) scaled[entry] *= amplitude * inverseErrorStd[row];
    }
    const { filtered, report } = await solve(backend, given, {
      matrix: { indptr, indices, data: scaled },
      departures: innovation.data.map((value, row) => value * inverseErrorStd[row]),
    });
    const { cost, backgroundCost, observationCost } = report;
    const last = report.iterations;
    return {
      increment: { shape: [ny, nx], data: filtered.map((value) => amplitude * value) },
      cost: { shape: [4], data: Float64Array.of(backgroundCost[last], observationCost[last], cost[last], cost[0]) },
    };
  },
});
