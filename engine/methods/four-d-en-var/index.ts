/**
 * What 4DEnVar observes of a control vector: the ensemble's part not by H of an increment, but by what the members themselves
 * observe, each at its time [liu2008]. With Y′_ij the anomaly of what member i observes as j, P_j the interpolation to its place,
 * and D the deviations of the observations,
 *
 *   G (v, a) = D⁻¹ (√β_s H V v + √β_e Σ_i Y′_i ∘ P V_L a_i/√(k − 1)).
 *
 * No linearised model moves an increment through the window: the members have been moved. The static part does not know the time.
 */
import type { RealField } from '../../compute/backend.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { anomalies, perturbation } from '../../operators/ensemble/index.ts';
import { interpolation, sparseAdjoint, sparseProduct, transposeStructure } from '../../operators/observation/index.ts';
import { schurProduct } from '../../operators/schur-product/index.ts';
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import {
  createAnalysisAtEnd,
  createHybrid,
  hybrid,
  hybridFields,
  type HybridVariant,
  type EnsembleTransform,
  type HybridParts,
} from '../hybrid/index.ts';
import { takenErrors, assumedField } from '../shared/error-correlation-setting.ts';
import {
  singleMinimisationField,
  createObservedControl,
  type ObservedControl,
  type ObservedControlParts,
} from '../variational/index.ts';
import { observesAlike, type MethodContext, type ObservedPositions } from '../method.ts';

/** P diag(s) of planes, V_L = diag(s) F, and its adjoint: sparse, of four entries an observation. */
async function createPlaneSampling(
  label: string,
  { backend, model, observations, positions, members }: MethodContext,
  scale: Float64Array,
) {
  const { grid } = model;
  const cells = grid.nx * grid.ny;
  const { capacity } = observations;
  const nonzeros = 4 * capacity;
  const size = { rows: capacity, columns: cells, nonzeros, batch: members };
  const multiplying = await backend.prepare(sparseProduct, size);
  const adjoining = await backend.prepare(sparseAdjoint, size);
  const allocate = (name: string, length: number) => backend.allocate(`${label}.${name}`, 'index', length);
  const rows = { indptr: allocate('placeRows', capacity + 1), indices: allocate('placeCells', nonzeros) };
  const columns = {
    columnStart: allocate('placeColumns', cells + 1),
    entryRow: allocate('placeEntryRow', nonzeros),
    entryPosition: allocate('placeEntry', nonzeros),
  };
  const data = backend.allocate(`${label}.placeWeights`, 'real', nonzeros);
  let known: ObservedPositions | undefined;
  return {
    /** Takes up where the cycle observes. */
    follow(): void {
      const observed = positions();
      if (observesAlike(known, observed)) return;
      known = observed;
      const { x, y } = observed;
      const sampled = interpolation(grid, { x, y, component: new Uint32Array(x.length) });
      // Rows of the padding are empty.
      const indptr = Uint32Array.from({ length: capacity + 1 }, (_, row) => 4 * Math.min(row, x.length));
      const transposed = transposeStructure({ indptr, indices: sampled.indices }, cells);
      backend.write(rows.indptr, indptr);
      backend.write(rows.indices, sampled.indices);
      backend.write(
        data,
        sampled.data.map((weight, entry) => weight * scale[sampled.indices[entry]]),
      );
      backend.write(columns.columnStart, transposed.columnStart);
      backend.write(columns.entryRow, transposed.entryRow);
      backend.write(columns.entryPosition, transposed.entryPosition);
    },
    /** Queues [members][cells] to [members][capacity]. */
    product: (input: RealField, output: RealField) => multiplying.run({ ...rows, data, input, output }),
    /** Queues [members][capacity] to [members][cells]. */
    adjoint: (input: RealField, output: RealField) => adjoining.run({ ...columns, data, input, output }),
    dispose() {
      for (const owned of [multiplying, adjoining, data, ...Object.values(rows), ...Object.values(columns)])
        owned.dispose();
    },
  };
}

/** What the ensemble's controls are seen as; its transform stays its owner's. */
async function createMembersPart(
  label: string,
  context: MethodContext,
  { ofEnsemble, observedEnsemble }: { readonly ofEnsemble: EnsembleTransform; readonly observedEnsemble: RealField },
) {
  const { backend, observations, members } = context;
  const { capacity } = observations;
  const { localising, planes, factor } = ofEnsemble;
  const sampling = await createPlaneSampling(label, context, localising.scale);
  const splitting = await backend.prepare(anomalies, { members, length: capacity, factor });
  const scaling = await backend.prepare(diagonal, { length: capacity, batch: members });
  const shape = { members, variables: 1, cells: capacity };
  const combining = await backend.prepare(schurProduct, { ...shape, transpose: false });
  const dividing = await backend.prepare(schurProduct, { ...shape, transpose: true });
  const allocate = (name: string, length: number) => backend.allocate(`${label}.${name}`, 'real', length);
  const fields = {
    mean: allocate('membersMean', capacity),
    anomalies: allocate('membersAnomalies', members * capacity),
    scaled: allocate('membersScaled', members * capacity),
    sampled: allocate('membersSampled', members * capacity),
  };
  const { mean, scaled, sampled } = fields;
  return {
    /** Takes up what the members observe of the cycle's observations, of which some are used. */
    follow(inverseErrorStd: RealField): void {
      sampling.follow();
      splitting.run({ ensemble: observedEnsemble, mean, anomalies: fields.anomalies });
      scaling.run({ scale: inverseErrorStd, input: fields.anomalies, output: scaled });
    },
    product(control: RealField, observed: RealField): void {
      localising.forward.run({ input: control, output: planes });
      sampling.product(planes, sampled);
      combining.run({ anomalies: scaled, input: sampled, output: observed });
    },
    adjoint(observed: RealField, control: RealField): void {
      dividing.run({ anomalies: scaled, input: observed, output: sampled });
      sampling.adjoint(sampled, planes);
      localising.adjoint.run({ input: planes, output: control });
    },
    dispose() {
      const prepared = [sampling, splitting, scaling, combining, dividing];
      for (const owned of [...prepared, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** @param background V, and what the members observe: a hybrid's, whose ensemble has no weight, is observed as a hybrid's is */
async function createObservedMembers(
  context: MethodContext,
  own: ObservedControlParts,
  background: { readonly parts: HybridParts; readonly observedEnsemble: RealField },
): Promise<ObservedControl> {
  const { ofStatic, ofEnsemble } = background.parts;
  if (!ofEnsemble) return createObservedControl(context, own);
  const { backend, observations } = context;
  const { label } = own;
  const members = await createMembersPart(label, context, { ...background, ofEnsemble });
  if (!ofStatic) {
    return {
      linearise: (_background, inverseErrorStd) => members.follow(inverseErrorStd),
      product: (control, observed) => members.product(control, observed),
      adjoint: (observed, control) => members.adjoint(observed, control),
      dispose: () => members.dispose(),
    };
  }
  const fixed = await createObservedControl(context, { ...own, transform: ofStatic, minimisation: undefined });
  const adding = await backend.prepare(perturbation, { members: 1, length: observations.capacity });
  const allocate = (name: string, length: number) => backend.allocate(`${label}.${name}`, 'real', length);
  const fields = {
    ofStatic: allocate('staticControl', ofStatic.length),
    ofEnsemble: allocate('membersControl', ofEnsemble.length),
    seen: allocate('membersSeen', observations.capacity),
  };
  const { length } = ofStatic;
  return {
    linearise(state, inverseErrorStd) {
      fixed.linearise(state, inverseErrorStd);
      members.follow(inverseErrorStd);
    },
    product(control, observed) {
      backend.copy(control, fields.ofStatic, { length });
      backend.copy(control, fields.ofEnsemble, { sourceOffset: length, length: ofEnsemble.length });
      fixed.product(fields.ofStatic, observed);
      members.product(fields.ofEnsemble, fields.seen);
      adding.run({ noise: fields.seen, ensemble: observed });
    },
    adjoint(observed, control) {
      fixed.adjoint(observed, fields.ofStatic);
      members.adjoint(observed, fields.ofEnsemble);
      backend.copy(fields.ofStatic, control, { length });
      backend.copy(fields.ofEnsemble, control, { targetOffset: length, length: ofEnsemble.length });
    },
    dispose() {
      for (const owned of [fixed, members, adding, ...Object.values(fields)]) owned.dispose();
    },
  };
}

const fourDEnVarSchema = methodSchema(
  '4denvar',
  {
    title: '4DEnVar',
    description:
      'Variational analysis whose background errors are partly an ensemble’s, which is seen at the times of the observations: a window is analysed without an adjoint.',
    gist: 'Variational analysis of a window, by an ensemble in place of an adjoint.',
  },
  { ...hybridFields, minimisation: singleMinimisationField, assumed: assumedField },
);

type FourDEnVarSettings = SettingsOf<typeof fourDEnVarSchema>;

/** The settings as those of the hybrid; nothing is linearised about a result, so that one loop is all. */
function asHybrid(settings: FourDEnVarSettings) {
  return { ...settings, kind: 'hybrid' as const, minimisation: { ...settings.minimisation, outerLoops: 1 } };
}

const IN_TIME: HybridVariant = {
  isApart: false,
  createAnalysis: (context, parts) => createAnalysisAtEnd(context, parts, createObservedMembers),
};

export const fourDEnVar = defineMethod(fourDEnVarSchema, {
  appearance: {
    shades: [
      ['#e8c15a', '#7d6000'],
      ['#f2dca0', '#5f4900'],
    ],
    dash: '16 3 4 3',
    marker: 'asterisk',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  takesErrors: takenErrors,
  problems: (settings, situation) => hybrid.problems?.(asHybrid(settings), situation) ?? [],
  warnings: (settings, situation) => hybrid.warnings?.(asHybrid(settings), situation) ?? [],
  memory(settings, sizes, situation) {
    const own = hybrid.memory?.(asHybrid(settings), sizes, situation) ?? { elements: 0 };
    const { cells, members, observations } = sizes;
    // What members observe: anomalies, scaled, and sampled planes; places by rows and by columns; the controls once more.
    const elements = 3 * members * observations + 20 * observations + (members + 3) * cells + cells;
    return { ...own, elements: own.elements + (settings.ensembleWeight > 0 ? elements : 0) };
  },
  asking: (settings, sizes, situation) => hybrid.asking?.(asHybrid(settings), sizes, situation) ?? 0,
  effort(settings, situation) {
    const own = hybrid.effort?.(asHybrid(settings), situation) ?? { each: 0, once: 0 };
    const { observations, background } = situation;
    const seen = settings.ensembleWeight > 0 ? 24 * observations * background.members : 0;
    return { ...own, each: own.each + settings.minimisation.maxIterations * seen };
  },
  spreadSource: (settings) => hybrid.spreadSource?.(asHybrid(settings)),
  proposal: (situation, others) => hybrid.proposal?.(situation, others) ?? {},
  tuning: (settings, situation) => hybrid.tuning?.(asHybrid(settings), situation) ?? { settings: [] },
  async create(settings, context) {
    return { ...(await createHybrid(asHybrid(settings), context, IN_TIME)), kind: settings.kind };
  },
});
