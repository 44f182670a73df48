/** Both substitutions in one dispatch, a workgroup a right-hand side. */
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { CholeskySolutionParameters, CholeskySubstitutionFields } from './parameters.ts';
import substitution from './substitution.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', { size: 'u32' });

const webGpuCholeskySubstitution: WebGpuOperator<CholeskySolutionParameters, CholeskySubstitutionFields> = async (
  builder,
  { size, rightHandSides },
) => {
  const program = await builder.program({
    label: 'cholesky-substitution',
    code: [PARAMETERS.wgsl, substitution],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, { size });
  return (recorder, { matrix, solution }) => {
    recorder.dispatch(program, [uniform, matrix, solution], [rightHandSides]);
  };
};

export default webGpuCholeskySubstitution;
