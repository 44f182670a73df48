/** The operators with one kernel and one dispatch, an invocation an element: of all members, or of one. */
import type { FieldKinds } from '../../compute/backend.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import anomaliesKernel from './anomalies.wgsl?raw';
import ensembleMeanKernel from './ensemble-mean.wgsl?raw';
import ensembleVarianceKernel from './ensemble-variance.wgsl?raw';
import inflationByKernel from './inflation-by.wgsl?raw';
import inflationKernel from './inflation.wgsl?raw';
import moments from './moments.wgsl?raw';
import type {
  AnomaliesParameters,
  EnsembleSize,
  RelaxationParameters,
  ScaledParameters,
  VarianceParameters,
} from './parameters.ts';
import perturbationKernel from './perturbation.wgsl?raw';
import recentringKernel from './recentring.wgsl?raw';
import relaxationKernel from './relaxation.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  length: 'u32',
  factor: 'f32',
});

const WORKGROUP = 256;

interface ElementwisePlan<Parameters, Name extends string> {
  readonly label: string;
  readonly code: readonly string[];
  /** The operator's fields in the order of the bindings after the uniform block. */
  readonly reads: readonly Name[];
  readonly writes: readonly Name[];
  readonly size: (parameters: Parameters) => EnsembleSize & { readonly factor?: number };
  readonly constants?: (parameters: Parameters) => Readonly<Record<string, number>>;
  /** Whether an invocation owns its element in one member alone, rather than in all. */
  readonly byMember?: boolean;
}

function elementwise<Parameters, Kinds extends FieldKinds>(
  plan: ElementwisePlan<Parameters, keyof Kinds & string>,
): WebGpuOperator<Parameters, Kinds> {
  const names = [...plan.reads, ...plan.writes];
  return async (builder, parameters) => {
    const { members, length, factor = 1 } = plan.size(parameters);
    const program = await builder.program({
      label: `ensemble.${plan.label}`,
      code: [indexLibrary, PARAMETERS.wgsl, ...plan.code],
      constants: plan.constants?.(parameters),
      bindings: ['uniform', ...plan.reads.map(() => 'read' as const), ...plan.writes.map(() => 'write' as const)],
    });
    const uniform = builder.uniform('parameters', PARAMETERS, { members, length, factor });
    const [x, y] = workgroupsFor(length, WORKGROUP);
    const workgroups = [x, y, plan.byMember ? members : 1] as const;
    return (recorder, buffers) =>
      recorder.dispatch(program, [uniform, ...names.map((name) => buffers[name])], workgroups);
  };
}

export const ensembleMean = elementwise<EnsembleSize, { ensemble: 'real'; mean: 'real' }>({
  label: 'mean',
  code: [moments, ensembleMeanKernel],
  reads: ['ensemble'],
  writes: ['mean'],
  size: (parameters) => parameters,
});

export const ensembleVariance = elementwise<VarianceParameters, { ensemble: 'real'; variance: 'real' }>({
  label: 'variance',
  code: [moments, ensembleVarianceKernel],
  reads: ['ensemble'],
  writes: ['variance'],
  size: (parameters) => parameters,
});

export const anomalies = elementwise<AnomaliesParameters, { ensemble: 'real'; mean: 'real'; anomalies: 'real' }>({
  label: 'anomalies',
  code: [moments, anomaliesKernel],
  reads: ['ensemble'],
  writes: ['mean', 'anomalies'],
  size: (parameters) => parameters,
});

export const recentring = elementwise<ScaledParameters, { mean: 'real'; anomalies: 'real'; ensemble: 'real' }>({
  label: 'recentring',
  code: [recentringKernel],
  reads: ['mean', 'anomalies'],
  writes: ['ensemble'],
  size: (parameters) => parameters,
  byMember: true,
});

export const inflation = elementwise<EnsembleSize & { readonly factor: number }, { ensemble: 'real' }>({
  label: 'inflation',
  code: [moments, inflationKernel],
  reads: [],
  writes: ['ensemble'],
  size: (parameters) => parameters,
});

export const inflationBy = elementwise<EnsembleSize, { factor: 'real'; ensemble: 'real' }>({
  label: 'inflation-by',
  code: [moments, inflationByKernel],
  reads: ['factor'],
  writes: ['ensemble'],
  size: (parameters) => parameters,
});

export const perturbation = elementwise<ScaledParameters, { noise: 'real'; ensemble: 'real' }>({
  label: 'perturbation',
  code: [perturbationKernel],
  reads: ['noise'],
  writes: ['ensemble'],
  size: (parameters) => parameters,
  byMember: true,
});

export const relaxation = elementwise<RelaxationParameters, { background: 'real'; ensemble: 'real' }>({
  label: 'relaxation',
  code: [moments, relaxationKernel],
  reads: ['background'],
  writes: ['ensemble'],
  size: (parameters) => parameters,
  constants: ({ kind }) => ({ RELAX_SPREAD: Number(kind === 'spread') }),
});
