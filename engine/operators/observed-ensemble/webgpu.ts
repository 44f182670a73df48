/** One dispatch each: an invocation a pair of observations, or a cell and an observation. */
import gaspariCohn from '../../compute/webgpu/library/gaspari-cohn.wgsl?raw';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { UniformMember, WebGpuOperator } from '../../compute/webgpu/program.ts';
import covariance from './covariance.wgsl?raw';
import gain from './gain.wgsl?raw';
import type {
  ObservedEnsembleCovarianceFields,
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleGainFields,
  ObservedEnsembleGainParameters,
  TaperedPlaces,
} from './parameters.ts';
import taper from './taper.wgsl?raw';

/** What the kernels' uniform blocks begin with. */
function placesOf({ nx, ny, periodicX, periodicY, aspect, halfWidth }: TaperedPlaces): readonly UniformMember[] {
  return [
    { u32: nx },
    { u32: ny },
    { u32: Number(periodicX) },
    { u32: Number(periodicY) },
    { f32: aspect },
    { f32: halfWidth },
  ];
}

export const observedEnsembleCovariance: WebGpuOperator<
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields
> = async (workshop, parameters) => {
  const { members, observations, inflation } = parameters;
  const program = await workshop.program({
    label: 'observed-ensemble.covariance',
    code: [indexLibrary, gaspariCohn, taper, covariance],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = workshop.uniform('covariance-parameters', [
    ...placesOf(parameters),
    { u32: members },
    { u32: observations },
    { f32: inflation },
  ]);
  const [x, y] = workgroupsFor(observations, 64);
  return (recorder, { observedAnomalies, inverseDeviation, positionX, positionY, matrix }) =>
    recorder.dispatch(
      program,
      [uniform, observedAnomalies, inverseDeviation, positionX, positionY, matrix],
      [x, y, observations],
    );
};

export const observedEnsembleGain: WebGpuOperator<ObservedEnsembleGainParameters, ObservedEnsembleGainFields> = async (
  workshop,
  parameters,
) => {
  const { nx, ny, variables, members, observations, firstObservation, blockObservations } = parameters;
  const program = await workshop.program({
    label: 'observed-ensemble.gain',
    code: [indexLibrary, gaspariCohn, taper, gain],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = workshop.uniform('gain-parameters', [
    ...placesOf(parameters),
    { u32: members },
    { u32: observations },
    { u32: variables },
    { u32: firstObservation },
  ]);
  const [x, y] = workgroupsFor(nx * ny, 256);
  return (recorder, { anomalies, observedAnomalies, inverseDeviation, positionX, positionY, output }) =>
    recorder.dispatch(
      program,
      [uniform, anomalies, observedAnomalies, inverseDeviation, positionX, positionY, output],
      [x, y, blockObservations],
    );
};
