/** Factors of every grid point's own on WebGPU: observations in units of their error by bin, then a kernel over all grid points. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { localWeightCode } from '../localisation/index.ts';
import localSource from './local.wgsl?raw';
import { letkfForm, type PointInflationFields, type PointInflationParameters } from './parameters.ts';
import source from './point-inflation.wgsl?raw';
import { PARAMETERS, prepareStandardising, uniformOf } from './standardising.ts';
import { workgroupCode, workgroupSizes } from './analysis-kernel.ts';

const part = partsOf(source);
const localPart = partsOf(localSource);

const ESTIMATE = uniformBlock('Estimate', { priorVariance: 'f32', certainty: 'f32', least: 'f32', most: 'f32' });

/** Grid points of a workgroup of the update. */
const WORKGROUP = 64;

export const pointInflation: WebGpuOperator<PointInflationParameters, PointInflationFields> = async (
  builder,
  given,
) => {
  const parameters = { ...given, localCapacity: Math.max(1, given.localCapacity), variables: 1, inflation: 1 };
  const { nx, ny, estimate, least, most } = parameters;
  const isUpdate = estimate.kind === 'innovations';
  const form = letkfForm(parameters);
  const shared = [
    PARAMETERS.wgsl,
    ESTIMATE.wgsl,
    ...localWeightCode,
    localPart('as-set'),
    localPart('neighbours'),
    part('points'),
  ];
  const searching = [
    localPart('scaling'),
    ...workgroupCode(form),
    part('search'),
    part(form === 'dual' ? 'search-observations' : 'search-members'),
  ];
  const [standardised, program] = await Promise.all([
    prepareStandardising(builder, parameters),
    builder.program({
      label: isUpdate ? 'letkf.inflation-update' : 'letkf.inflation-search',
      code: isUpdate ? [indexCode, ...shared, part('update')] : [...shared, ...searching],
      constants: isUpdate ? {} : workgroupSizes(builder, parameters),
      bindings: ['uniform', 'uniform', 'read', 'read', 'read', 'write'],
    }),
  ]);
  const constants = builder.uniform('parameters', PARAMETERS, uniformOf(parameters));
  const prior = builder.uniform('estimate', ESTIMATE, {
    priorVariance: isUpdate ? estimate.deviation ** 2 : 0,
    certainty: isUpdate ? 0 : estimate.certainty,
    least,
    most,
  });
  return (recorder, fields) => {
    standardised.record(recorder, fields);
    recorder.dispatch(
      program,
      [constants, prior, standardised.anomalies, standardised.slots, fields.binStart, fields.factor],
      workgroupsFor(nx * ny, isUpdate ? WORKGROUP : 1),
    );
  };
};
