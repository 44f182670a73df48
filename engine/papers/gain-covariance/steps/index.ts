/**
 * P_HT as [gain-gpu] has it, from the basic form to the optimised one: with C₂ = C ∘ (e eᵀ)/(L − 1) whole in memory,
 *
 *   basic        e eᵀ from a transposed copy of e; C₂Hᵀ by columns of C₂, a launch for each row of H
 *   rows         e eᵀ as rows with rows of e, without the copy                                 [gain-gpu, 7.1]
 *   transposed   C₂Hᵀ as (H C₂ᵀ)ᵀ, which runs along the rows of C₂                             [gain-gpu, 7.2]
 *   one launch   the product with the sparse H in one launch                                   [gain-gpu, 7.3]
 *
 * They are here for the comparison alone: `operators/gain-covariance` has no C₂. On a processor a launch is a task for all threads.
 *
 * Operations of one run, n cells, z stored entries of H: n²(2L + 1) for C₂ and 2 z n for the product, the same in each form. They
 * differ in what they move: `basic` 2 n L reals more for the copy.
 */
import type { ArraysOf } from '../../../compute/backend.ts';
import { defineOperator } from '../../../compute/define-operator.ts';
import { parameterBlock, uniformBlock } from '../../../compute/parameter-block.ts';
import { addressesOf, type WasmOperator } from '../../../compute/wasm/program.ts';
import indexLibrary from '../../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import source from './gain-steps.wgsl?raw';

/** What the steps are prepared with, and the arrays they work on. */

export const GAIN_STEPS = ['basic', 'rows', 'transposed', 'one launch'] as const;
export type GainStep = (typeof GAIN_STEPS)[number];

export interface GainStepsParameters {
  readonly nx: number;
  readonly ny: number;
  /** L, at least 2. */
  readonly members: number;
  /** m, rows of H. */
  readonly observations: number;
  /** z, stored entries of H. */
  readonly nonzeros: number;
  readonly step: GainStep;
}

export const gainStepsFields = {
  /** e, the mean already removed. [n][L] */
  anomalies: 'real',
  /** C between (y₁, x₁) and (y₂, x₂) is `taperRow[|y₁ − y₂|·nx + |x₁ − x₂|]`. [n] */
  taperRow: 'real',
  /** H in compressed rows. */
  indptr: 'index',
  indices: 'index',
  data: 'real',
  /** P_HT transposed. [m][n] */
  output: 'real',
} as const;

/** P_HT by its definition: C₂, then its product with Hᵀ. */
function gainStepsReference({ nx, ny, members, observations }: GainStepsParameters) {
  const n = nx * ny;
  return ({ anomalies: e, taperRow, indptr, indices, data, output }: ArraysOf<typeof gainStepsFields>): void => {
    const c2 = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const lagY = Math.abs(Math.floor(i / nx) - Math.floor(j / nx));
        const lagX = Math.abs((i % nx) - (j % nx));
        let product = 0;
        for (let l = 0; l < members; l++) product += e[i * members + l] * e[j * members + l];
        c2[i * n + j] = (taperRow[lagY * nx + lagX] * product) / (members - 1);
      }
    }
    output.fill(0);
    for (let j = 0; j < observations; j++) {
      for (let entry = indptr[j]; entry < indptr[j + 1]; entry++) {
        for (let i = 0; i < n; i++) output[j * n + i] += data[entry] * c2[indices[entry] * n + i];
      }
    }
  };
}

export const gainSteps = defineOperator<GainStepsParameters, typeof gainStepsFields>({
  name: 'gain-steps',
  fields: gainStepsFields,
  cost: ({ nx, ny, members, observations, nonzeros, step }, elementBytes) => {
    const n = nx * ny;
    const copy = step === 'basic' ? 2 * n * members : 0;
    return {
      bytes: elementBytes * (n * members + copy + n * n + nonzeros * n + observations * n) + 4 * nonzeros,
      flops: n * n * (2 * members + 1) + 2 * nonzeros * n,
    };
  },
  reference: gainStepsReference,
  wasm: async () => gainStepsWasm,
  webgpu: async () => gainStepsWebGpu,
});

const GAIN_BLOCK = parameterBlock('GainSteps', {
  nx: 'i32',
  cells: 'i32',
  members: 'i32',
  /** Whether e eᵀ takes a transposed copy of e. */
  copies: 'i32',
  /** The row of H of the first part. */
  first: 'i32',
  anomalies: 'pointer',
  taperRow: 'pointer',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  output: 'pointer',
  /** [L][n] */
  copy: 'pointer',
  /** C₂ [n][n] */
  covariance: 'pointer',
});

/** The steps on a processor: C₂ by rows, then the product, a task for all rows of H or one for each. */
const gainStepsWasm: WasmOperator<GainStepsParameters, typeof gainStepsFields> = (
  builder,
  { nx, ny, members, observations, step },
) => {
  const cells = nx * ny;
  const copies = step === 'basic';
  const constants = {
    nx,
    cells,
    members,
    copies: Number(copies),
    first: 0,
    copy: copies ? builder.reals('gain-steps.copy', cells * members).address : 0,
    covariance: builder.reals('gain-steps.covariance', cells * cells).address,
  };
  const byColumns = step === 'basic' || step === 'rows';
  const [copy, covariance, product] = [
    'gainStepsCopy',
    'gainStepsCovariance',
    byColumns ? 'gainStepsByColumns' : 'gainStepsByRows',
  ].map((kernel) => builder.program(kernel, GAIN_BLOCK, constants));
  return (arrays) => {
    const places = addressesOf(arrays);
    for (const program of [copy, covariance, product]) program.set(places);
    if (copies) copy.run(members);
    covariance.run(cells);
    if (step === 'one launch') {
      product.run(observations);
      return;
    }
    for (let first = 0; first < observations; first++) {
      product.set({ first });
      product.run(1);
    }
  };
};

const PARAMETERS = uniformBlock('Parameters', { nx: 'u32', cells: 'u32', members: 'u32', first: 'u32' });
const part = partsOf(source);

const gainStepsWebGpu: WebGpuOperator<GainStepsParameters, typeof gainStepsFields> = async (
  builder,
  { nx, ny, members, observations, step },
) => {
  const cells = nx * ny;
  const copies = step === 'basic';
  const byRows = step === 'transposed' || step === 'one launch';
  const [copyProgram, covarianceProgram, productProgram] = await Promise.all([
    builder.program({
      label: 'gain-steps.copy',
      code: [indexLibrary, PARAMETERS.wgsl, part('copy')],
      bindings: ['uniform', 'read', 'write'],
    }),
    builder.program({
      label: 'gain-steps.covariance',
      code: [indexLibrary, PARAMETERS.wgsl, part('covariance')],
      constants: { BY_COPY: Number(copies) },
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'gain-steps.product',
      code: [PARAMETERS.wgsl, part('product')],
      constants: { BY_ROWS: Number(byRows) },
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
  ]);
  const uniformOf = (first: number): GPUBuffer =>
    builder.uniform(`gain-steps.parameters-${first}`, PARAMETERS, { nx, cells, members, first });
  const launches =
    step === 'one launch' ? [uniformOf(0)] : Array.from({ length: observations }, (_, j) => uniformOf(j));
  const rows = step === 'one launch' ? observations : 1;
  const copy = copies ? builder.scratch('copy', 'real', cells * members) : undefined;
  const covariance = builder.scratch('covariance', 'real', cells * cells);
  return (recorder, { anomalies, taperRow, indptr, indices, data, output }) => {
    if (copy) recorder.dispatch(copyProgram, [launches[0], anomalies, copy], workgroupsFor(cells * members, 256));
    recorder.dispatch(
      covarianceProgram,
      [launches[0], anomalies, copy ?? anomalies, taperRow, covariance],
      workgroupsFor(cells * cells, 256),
    );
    for (const uniform of launches) {
      recorder.dispatch(
        productProgram,
        [uniform, covariance, indptr, indices, data, output],
        [Math.ceil(cells / 64), rows],
      );
    }
  };
};
