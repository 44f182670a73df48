/** The steps on a GPU: C₂ in a launch, then the product, in one launch for all rows of H or one for each. */
import { uniformBlock } from '../../../compute/parameter-block.ts';
import indexLibrary from '../../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import source from './gain-steps.wgsl?raw';
import type { gainStepsFields, GainStepsParameters } from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', { nx: 'u32', cells: 'u32', members: 'u32', first: 'u32' });
const part = partsOf(source);

export const prepareGainSteps: WebGpuOperator<GainStepsParameters, typeof gainStepsFields> = async (
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
