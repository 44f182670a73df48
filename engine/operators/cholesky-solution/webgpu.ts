/** Two dispatches a panel of 32 columns for L and L⁻¹ B, and one for the back substitution. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import tileProduct from '../../compute/webgpu/library/tile-product.wgsl?raw';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import backSubstitution from './back-substitution.wgsl?raw';
import panel from './panel.wgsl?raw';
import type { CholeskySolutionFields, CholeskySolutionParameters, CholeskySubstitutionFields } from './reference.ts';
import substitution from './substitution.wgsl?raw';
import trailingUpdate from './trailing-update.wgsl?raw';

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

export const choleskySolution: WebGpuOperator<CholeskySolutionParameters, CholeskySolutionFields> = async (
  builder,
  { size, rightHandSides },
) => {
  const [panelProgram, updateProgram, substitutionProgram] = await Promise.all([
    builder.program({
      label: 'cholesky-solution.panel',
      code: [PARAMETERS.wgsl, panel],
      bindings: ['uniform', 'write', 'write', 'write', 'write'],
    }),
    builder.program({
      label: 'cholesky-solution.trailing-update',
      code: [tileProduct, PARAMETERS.wgsl, trailingUpdate],
      bindings: ['uniform', 'write', 'write'],
    }),
    builder.program({
      label: 'cholesky-solution.back-substitution',
      code: [PARAMETERS.wgsl, backSubstitution],
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
export const choleskySubstitution: WebGpuOperator<CholeskySolutionParameters, CholeskySubstitutionFields> = async (
  builder,
  { size, rightHandSides },
) => {
  const program = await builder.program({
    label: 'cholesky-substitution',
    code: [SUBSTITUTION_PARAMETERS.wgsl, substitution],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', SUBSTITUTION_PARAMETERS, { size });
  return (recorder, { matrix, solution }) => {
    recorder.dispatch(program, [uniform, matrix, solution], [rightHandSides]);
  };
};
