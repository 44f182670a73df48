/** The operators on ensembles in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmBuilder, WasmOperator } from '../../compute/wasm/program.ts';
import type {
  AnomaliesParameters,
  EnsembleSize,
  RelaxationParameters,
  ScaledParameters,
  VarianceParameters,
} from './parameters.ts';

const ENSEMBLE = parameterBlock('Ensemble', {
  members: 'i32',
  length: 'i32',
  factor: 'f32',
  /** Elements of a part. */
  segment: 'i32',
  ensemble: 'pointer',
  /** Mean or variance, [length]. */
  moment: 'pointer',
  /** A second ensemble, anomalies, noise, or the background; or a factor. */
  other: 'pointer',
  /** [members][members] */
  transform: 'pointer',
});

/** Reals of an ensemble that a part works on, about. */
const PART_REALS = 65_536;

/** @returns the kernel on the fields at these addresses */
function prepareKernel(builder: WasmBuilder, kernel: string, { members, length }: EnsembleSize, factor = 1) {
  const segment = 4 * Math.max(1, Math.ceil(PART_REALS / members / 4));
  const program = builder.program(kernel, ENSEMBLE, { members, length, factor, segment });
  return (ensemble: number, places: { moment?: number; other?: number; transform?: number }): void => {
    program.set({ ensemble, ...places });
    program.run(partsFor(length, segment));
  };
}

export const ensembleMean: WasmOperator<EnsembleSize, { ensemble: 'real'; mean: 'real' }> = (builder, size) => {
  const run = prepareKernel(builder, 'ensembleMean', size);
  return ({ ensemble, mean }) => run(ensemble.byteOffset, { moment: mean.byteOffset });
};

export const ensembleVariance: WasmOperator<VarianceParameters, { ensemble: 'real'; variance: 'real' }> = (
  builder,
  { factor, ...size },
) => {
  const run = prepareKernel(builder, 'ensembleVariance', size, factor);
  return ({ ensemble, variance }) => run(ensemble.byteOffset, { moment: variance.byteOffset });
};

export const anomalies: WasmOperator<AnomaliesParameters, { ensemble: 'real'; mean: 'real'; anomalies: 'real' }> = (
  builder,
  { factor, ...size },
) => {
  const run = prepareKernel(builder, 'ensembleAnomalies', size, factor);
  return ({ ensemble, mean, anomalies: other }) =>
    run(ensemble.byteOffset, { moment: mean.byteOffset, other: other.byteOffset });
};

export const recentring: WasmOperator<ScaledParameters, { mean: 'real'; anomalies: 'real'; ensemble: 'real' }> = (
  builder,
  { factor, ...size },
) => {
  const run = prepareKernel(builder, 'ensembleRecentre', size, factor);
  return ({ mean, anomalies: other, ensemble }) =>
    run(ensemble.byteOffset, { moment: mean.byteOffset, other: other.byteOffset });
};

export const inflation: WasmOperator<EnsembleSize & { readonly factor: number }, { ensemble: 'real' }> = (
  builder,
  { factor, ...size },
) => {
  const run = prepareKernel(builder, 'ensembleInflate', size, factor);
  return ({ ensemble }) => run(ensemble.byteOffset, {});
};

export const inflationBy: WasmOperator<EnsembleSize, { factor: 'real'; ensemble: 'real' }> = (builder, size) => {
  const run = prepareKernel(builder, 'ensembleInflateBy', size);
  return ({ factor, ensemble }) => run(ensemble.byteOffset, { other: factor.byteOffset });
};

export const perturbation: WasmOperator<ScaledParameters, { noise: 'real'; ensemble: 'real' }> = (
  builder,
  { factor, ...size },
) => {
  const run = prepareKernel(builder, 'ensemblePerturb', size, factor);
  return ({ noise, ensemble }) => run(ensemble.byteOffset, { other: noise.byteOffset });
};

export const relaxation: WasmOperator<RelaxationParameters, { background: 'real'; ensemble: 'real' }> = (
  builder,
  { kind, factor, ...size },
) => {
  const kernel = kind === 'spread' ? 'ensembleRelaxSpread' : 'ensembleRelaxPerturbations';
  const run = prepareKernel(builder, kernel, size, factor);
  return ({ background, ensemble }) => run(ensemble.byteOffset, { other: background.byteOffset });
};

export const ensembleTransform: WasmOperator<
  EnsembleSize,
  { ensemble: 'real'; transform: 'real'; transformed: 'real' }
> = (builder, size) => {
  const run = prepareKernel(builder, 'ensembleTransform', size);
  return ({ ensemble, transform, transformed }) =>
    run(ensemble.byteOffset, { transform: transform.byteOffset, other: transformed.byteOffset });
};
