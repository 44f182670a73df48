/** Two dispatches a panel of 32 columns for L and L⁻¹ B, and one for the back substitution. */
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import tileProduct from '../../compute/webgpu/library/tile-product.wgsl?raw';
import { partsOf } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import source from './factorisation.wgsl?raw';
import type { CholeskySolutionFields, CholeskySolutionParameters, CholeskySubstitutionFields } from './reference.ts';
import substitutionSource from './substitution.wgsl?raw';

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
export const choleskySolutionWasm: WasmOperator<CholeskySolutionParameters, CholeskySolutionFields> = (
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

export const choleskySubstitutionWasm: WasmOperator<CholeskySolutionParameters, CholeskySubstitutionFields> = (
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

export const choleskySolutionWebGpu: WebGpuOperator<CholeskySolutionParameters, CholeskySolutionFields> = async (
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
export const choleskySubstitutionWebGpu: WebGpuOperator<
  CholeskySolutionParameters,
  CholeskySubstitutionFields
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
