/**
 * Dense symmetric positive definite systems A X = B by Cholesky factorisation, A = L Lᵀ: the observation-space solve of the
 * stochastic EnKF [evensen1994], where A = I + R^−½ H P Hᵀ R^−½.
 *
 * On the GPU the factorisation is blocked and right-looking with 32 columns a panel. The right-hand sides are kept as rows
 * and carried along below the matrix, so that the factorisation itself does the forward substitution (their rows become
 * (L⁻¹ B)ᵀ); one dispatch then substitutes back. Dispatches: 2⌈m / 32⌉.
 */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import tileProduct from '../../compute/webgpu/library/tile-product.wgsl?raw';
import { partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import source from './factorisation.wgsl?raw';
import substitutionSource from './substitution.wgsl?raw';

export interface CholeskySolutionParameters {
  /** Rows of the matrix, m, from 1 on. */
  readonly size: number;
  /** Right-hand sides, r, from 1 on. */
  readonly rightHandSides: number;
}

export const choleskySolutionFields = {
  /**
   * [m][m], symmetric positive definite; only the lower triangle is read. Afterwards it holds the factor as `choleskySubstitution`
   * of the same backend takes it.
   */
  matrix: 'real',
  /** [r][m]: the right-hand sides, each a row, going in; the solutions coming out. */
  solution: 'real',
  /**
   * [1]: 0 when every pivot was positive and finite; otherwise 1 + the row of the first that was not. Such a pivot's unknown
   * is omitted (its column of L is 0), so that the solution is not that of the system but also not NaN by division.
   */
  status: 'index',
} as const;

/** Fields of a system whose matrix `choleskySolution` has factorised. */
export const choleskySubstitutionFields = {
  /** [m][m], as it was left there. */
  matrix: 'real',
  /** [r][m]: the right-hand sides, each a row, going in; the solutions coming out. */
  solution: 'real',
} as const;

/** Plain Cholesky, row by row, then both substitutions. What is before a row's first entry stays 0 and is omitted. */
function choleskySolutionReference({
  size: m,
  rightHandSides,
}: CholeskySolutionParameters): (arrays: ArraysOf<typeof choleskySolutionFields>) => void {
  return ({ matrix, solution, status }) => {
    const first = firstEntries(matrix, m);
    status[0] = factorise(matrix, m, first);
    for (let r = 0; r < rightHandSides; r++) substitute(matrix, solution.subarray(r * m, (r + 1) * m), first);
  };
}

function choleskySubstitutionReference({
  size: m,
  rightHandSides,
}: CholeskySolutionParameters): (arrays: ArraysOf<typeof choleskySubstitutionFields>) => void {
  return ({ matrix, solution }) => {
    const first = firstEntries(matrix, m);
    for (let r = 0; r < rightHandSides; r++) substitute(matrix, solution.subarray(r * m, (r + 1) * m), first);
  };
}

/** The column of each row's first entry in the lower triangle: L has no entries before it either. */
function firstEntries(a: RealArray, m: number): Uint32Array {
  return Uint32Array.from({ length: m }, (_, i) => {
    let column = 0;
    while (column < i && a[i * m + column] === 0) column += 1;
    return column;
  });
}

/** A ← L in the lower triangle. @returns 0, or 1 + the row of the first pivot that is not positive and finite */
function factorise(a: RealArray, m: number, first: Uint32Array): number {
  let failed = 0;
  for (let i = 0; i < m; i++) {
    for (let j = first[i]; j <= i; j++) {
      let sum = a[i * m + j];
      for (let k = Math.max(first[i], first[j]); k < j; k++) sum -= a[i * m + k] * a[j * m + k];
      if (i > j) a[i * m + j] = a[j * m + j] === Infinity ? 0 : sum / a[j * m + j];
      else if (sum > 0 && sum < Infinity) a[i * m + i] = Math.sqrt(sum);
      else {
        // Division by this pivot is to give 0.
        a[i * m + i] = Infinity;
        failed ||= i + 1;
      }
    }
  }
  return failed;
}

/** x ← L⁻ᵀ L⁻¹ x. */
function substitute(l: RealArray, x: RealArray, first: Uint32Array): void {
  const m = x.length;
  for (let i = 0; i < m; i++) {
    for (let k = first[i]; k < i; k++) x[i] -= l[i * m + k] * x[k];
    x[i] /= l[i * m + i];
  }
  for (let i = m - 1; i >= 0; i--) {
    x[i] /= l[i * m + i];
    for (let k = first[i]; k < i; k++) x[k] -= l[i * m + k] * x[i];
  }
}

/** Solves A X = B for a symmetric positive definite A. Cost: m³/3 + 2m²r operations. */
export const choleskySolution = defineOperator<CholeskySolutionParameters, typeof choleskySolutionFields>({
  name: 'cholesky-solution',
  fields: choleskySolutionFields,
  cost: ({ size, rightHandSides }, elementBytes) => ({
    // Every panel of 32 columns reads and writes what is left of the lower triangle.
    bytes: elementBytes * (size ** 3 / 96 + size ** 2 / 2 + 2 * rightHandSides * size * (1 + size / 64)),
    flops: size ** 3 / 3 + 2 * size ** 2 * rightHandSides,
  }),
  reference: choleskySolutionReference,
  wasm: async () => choleskySolutionWasm,
  webgpu: async () => choleskySolutionWebGpu,
});

/** Solves A X = B once more, for other right-hand sides, with the factor that `choleskySolution` has left. Cost: 2m²r operations. */
export const choleskySubstitution = defineOperator<CholeskySolutionParameters, typeof choleskySubstitutionFields>({
  name: 'cholesky-substitution',
  fields: choleskySubstitutionFields,
  cost: ({ size, rightHandSides }, elementBytes) => ({
    // The lower triangle once down and once up.
    bytes: elementBytes * (size ** 2 + 2 * rightHandSides * size),
    flops: 2 * size ** 2 * rightHandSides,
  }),
  reference: choleskySubstitutionReference,
  wasm: async () => choleskySubstitutionWasm,
  webgpu: async () => choleskySubstitutionWebGpu,
});

const part = partsOf(source);
const substitutionPart = partsOf(substitutionSource);

/** What the kernels of `cholesky.as.ts` take. */
const CHOLESKY = parameterBlock('Cholesky', {
  size: 'i32',
  /** First column of the panel, and how many it has. */
  column: 'i32',
  width: 'i32',
  /** Rows of a part beneath the diagonal block. */
  segment: 'i32',
  matrix: 'pointer',
  solution: 'pointer',
  status: 'pointer',
  /** The column of each row's first entry. */
  first: 'pointer',
});

/** Rows of a part. */
const ROWS = 16;

/** Columns of a panel. */
const CACHED_PANEL = 64;

/** The Cholesky solver in SIMD, panel by panel. */
const choleskySolutionWasm: WasmOperator<CholeskySolutionParameters, typeof choleskySolutionFields> = (
  builder,
  { size, rightHandSides },
) => {
  const first = builder.words('cholesky-solution.first', size);
  const constants = { size, width: CACHED_PANEL, segment: ROWS, first: first.address };
  const [firstEntries, diagonal, rows, substitution] = [
    'choleskyFirstEntries',
    'choleskyDiagonal',
    'choleskyRows',
    'choleskySubstitute',
  ].map((kernel) => builder.program(kernel, CHOLESKY, constants));
  return ({ matrix, solution, status }) => {
    const places = addressesOf({ matrix, solution, status });
    status[0] = 0;
    firstEntries.set(places);
    firstEntries.run(partsFor(size, ROWS));
    for (let column = 0; column < size; column += CACHED_PANEL) {
      diagonal.set({ ...places, column });
      diagonal.run(1);
      const beneath = size - column - CACHED_PANEL;
      if (beneath <= 0) break;
      rows.set({ ...places, column });
      rows.run(partsFor(beneath, ROWS));
    }
    substitution.set(places);
    substitution.run(rightHandSides);
  };
};

const choleskySubstitutionWasm: WasmOperator<CholeskySolutionParameters, typeof choleskySubstitutionFields> = (
  builder,
  { size, rightHandSides },
) => {
  const first = builder.words('cholesky-substitution.first', size);
  const constants = { size, segment: ROWS, first: first.address };
  const firstEntries = builder.program('choleskyFirstEntries', CHOLESKY, constants);
  const substitution = builder.program('choleskySubstitute', CHOLESKY, constants);
  return ({ matrix, solution }) => {
    const places = addressesOf({ matrix, solution });
    firstEntries.set(places);
    firstEntries.run(partsFor(size, ROWS));
    substitution.set(places);
    substitution.run(rightHandSides);
  };
};

const PARAMETERS = uniformBlock('Parameters', {
  size: 'u32',
  rightHandSides: 'u32',
  /** First row and column of the panel. */
  first: 'u32',
});

const PANEL = 32;
const TILE = 64;
/** Columns and right-hand sides of a workgroup of the back substitution. */
const SUBSTITUTION = { columns: 32, sides: 32 } as const;

const choleskySolutionWebGpu: WebGpuOperator<CholeskySolutionParameters, typeof choleskySolutionFields> = async (
  builder,
  { size, rightHandSides },
) => {
  const [panelProgram, updateProgram, substitutionProgram] = await Promise.all([
    builder.program({
      label: 'cholesky-solution.panel',
      code: [PARAMETERS.wgsl, part('panel')],
      bindings: ['uniform', 'write', 'write', 'write', 'write'],
    }),
    builder.program({
      label: 'cholesky-solution.trailing-update',
      code: [tileProduct, PARAMETERS.wgsl, part('trailing-update')],
      bindings: ['uniform', 'write', 'write'],
    }),
    builder.program({
      label: 'cholesky-solution.back-substitution',
      code: [PARAMETERS.wgsl, substitutionPart('back-substitution')],
      bindings: ['uniform', 'read', 'read', 'write', 'write'],
    }),
  ]);
  const panels = Math.ceil(size / PANEL);
  const uniforms = Array.from({ length: panels }, (_, index) =>
    builder.uniform(`panel-${index}`, PARAMETERS, { size, rightHandSides, first: index * PANEL }),
  );
  const inverses = builder.scratch('inverses', 'real', panels * PANEL * PANEL);
  const remaining = builder.scratch('remaining', 'real', rightHandSides * size);
  const sideBlocks = Math.ceil(rightHandSides / SUBSTITUTION.sides);
  return (recorder, { matrix, solution, status }) => {
    uniforms.forEach((uniform, index) => {
      const rest = Math.max(0, size - (index + 1) * PANEL);
      const below = rest + rightHandSides;
      recorder.dispatch(panelProgram, [uniform, matrix, solution, inverses, status], [1 + Math.ceil(below / PANEL)]);
      if (rest > 0) {
        recorder.dispatch(
          updateProgram,
          [uniform, matrix, solution],
          [Math.ceil(rest / TILE), Math.ceil(below / TILE)],
        );
      }
    });
    recorder.copy(solution, remaining, rightHandSides * size * Float32Array.BYTES_PER_ELEMENT);
    for (let index = panels - 1; index >= 0; index--) {
      const buffers = [uniforms[index], matrix, inverses, remaining, solution];
      const columnBlocks = Math.max(1, Math.ceil((index * PANEL) / SUBSTITUTION.columns));
      recorder.dispatch(substitutionProgram, buffers, [columnBlocks, sideBlocks]);
    }
  };
};

const SUBSTITUTION_PARAMETERS = uniformBlock('Parameters', { size: 'u32' });

/** Both substitutions in one dispatch, a workgroup a right-hand side. */
const choleskySubstitutionWebGpu: WebGpuOperator<
  CholeskySolutionParameters,
  typeof choleskySubstitutionFields
> = async (builder, { size, rightHandSides }) => {
  const program = await builder.program({
    label: 'cholesky-substitution',
    code: [SUBSTITUTION_PARAMETERS.wgsl, substitutionPart('substitution')],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', SUBSTITUTION_PARAMETERS, { size });
  return (recorder, { matrix, solution }) => {
    recorder.dispatch(program, [uniform, matrix, solution], [rightHandSides]);
  };
};
