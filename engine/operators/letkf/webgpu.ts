/** The LETKF on WebGPU: observations in units of their error by bin, then one analysis kernel over all grid points. */
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import { localWeightCode } from '../localisation/index.ts';
import { BATCH_REALS, WORKGROUP, analysisKernel, batchesOf, rounded } from './analysis-kernel.ts';
import source from './local.wgsl?raw';
import type { CorrelatedLetkfFields, LetkfFields, LetkfParameters } from './parameters.ts';
import { PARAMETERS, prepareStandardising, uniformOf } from './standardising.ts';
import whiteningCode from './whitening.wgsl?raw';
import workgroupSource from './workgroup.wgsl?raw';

const part = partsOf(source);
const workgroupPart = partsOf(workgroupSource);

const ANALYSIS_BINDINGS = ['uniform', 'read', 'write', 'read', 'read', 'read', 'read'] as const;

/** What the analysis kernels read beside their arrays where each grid point has a factor of its own, and the part that reads it. */
const EACH_BY_ITSELF = { part: 'at-each-point', bindings: [...ANALYSIS_BINDINGS, 'read'] } as const;
const AS_SET = { part: 'as-set', bindings: ANALYSIS_BINDINGS } as const;

function preparing({ part: inflation, bindings }: typeof AS_SET | typeof EACH_BY_ITSELF) {
  const independentErrors: WebGpuOperator<LetkfParameters, LetkfFields> = async (builder, parameters) => {
    const { nx, ny } = parameters;
    const [standardised, analyse] = await Promise.all([
      prepareStandardising(builder, parameters),
      analysisKernel(builder, parameters, { rows: 'neighbours', inflation, bindings }),
    ]);
    const constants = uniformOf(parameters);
    const batches = batchesOf(nx * ny, analyse.points).map((cells) => ({
      cells,
      analysing: builder.uniform('parameters', PARAMETERS, { ...constants, ...cells }),
    }));

    return (recorder, fields) => {
      standardised.record(recorder, fields);
      for (const { cells, analysing } of batches)
        analyse.record(recorder, analysing, cells, { ...fields, ...standardised });
    };
  };

  /**
   * Grid points are whitened and analysed in batches: each point has rows of its own in work space, and a factor of order
   * localCapacity. If local observations are many, batches are of few points, and a GPU is badly used: at 1000 there are sixteen.
   */
  const correlatedErrors: WebGpuOperator<LetkfParameters, CorrelatedLetkfFields> = async (builder, given) => {
    const localCapacity = Math.max(1, given.localCapacity);
    const parameters = { ...given, localCapacity };
    const { nx, ny, members } = parameters;
    const quads = Math.ceil(members / 4);
    const listed = rounded(localCapacity);
    assertListed(listed, builder.limits.maxComputeWorkgroupStorageSize);
    const [standardised, whiten, analyse] = await Promise.all([
      prepareStandardising(builder, parameters),
      builder.program({
        label: 'letkf.whiten',
        code: [
          PARAMETERS.wgsl,
          ...localWeightCode,
          part('as-set'),
          part('neighbours'),
          workgroupPart('choosing'),
          workgroupPart('listing'),
          whiteningCode,
        ],
        constants: { listed },
        bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write', 'write', 'write'],
      }),
      analysisKernel(builder, parameters, { rows: 'whitened-rows', inflation, bindings }),
    ]);
    const realsOfPoint = localCapacity * (localCapacity + 4 * quads + 4);
    const points = Math.min(nx * ny, analyse.points, Math.max(1, Math.floor(BATCH_REALS / realsOfPoint)));
    const space = (name: string, each: number) =>
      builder.shared(`letkf.${name}`, 'real', points * localCapacity * each);
    const factors = space('factors', localCapacity);
    const whiteAnomalies = space('whiteAnomalies', 4 * quads);
    const whiteSlots = space('whiteSlots', 4);
    const constants = uniformOf(parameters);
    const batches = batchesOf(nx * ny, points).map((cells) => ({
      cells,
      whitening: builder.uniform('whitening', PARAMETERS, { ...constants, ...cells }),
      analysing: builder.uniform('analysing', PARAMETERS, { ...constants, ...cells, binsX: nx, binsY: ny }),
    }));

    return (recorder, fields) => {
      const { binStart, correlationStart, correlation } = fields;
      const { anomalies, slots } = standardised;
      standardised.record(recorder, fields);
      for (const { cells, whitening, analysing } of batches) {
        const known = [anomalies, slots, binStart, correlationStart, correlation];
        recorder.dispatch(
          whiten,
          [whitening, ...known, factors, whiteAnomalies, whiteSlots],
          workgroupsFor(cells.endCell - cells.firstCell, 1),
        );
        analyse.record(recorder, analysing, cells, { ...fields, anomalies: whiteAnomalies, slots: whiteSlots });
      }
    };
  };
  return { independentErrors, correlatedErrors };
}

/** With the inflation that is set. */
export const { independentErrors, correlatedErrors } = preparing(AS_SET);
/** With a factor of every grid point's own. */
export const inflated = preparing(EACH_BY_ITSELF);

/** @throws LimitError */
function assertListed(listed: number, available: number): void {
  // 12 bytes each, and what `choosing` has.
  const largest = Math.floor((available - 8 * WORKGROUP - 256) / 12);
  if (listed <= largest) return;
  throw new LimitError(
    `letkf: ${listed} local observations with correlated errors asked for, at most ${largest} fit in the workgroup memory of ` +
      'this GPU; use a shorter halfWidth or thin the observations, or --backend reference',
  );
}
