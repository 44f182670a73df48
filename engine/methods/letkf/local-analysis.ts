/**
 * The local analyses of the LETKF, of all cells or of those of a coarse grid. There the weights of the members are what is
 * analysed: the operator's analysis of the identity, of which member i has 1 in variable i and 0 in the others, is
 *
 *   T_im = 1/k + w̄_m + Wᵃ_mi − √ρ/k,   Σ_m T_im = 1,   xᵃ⁽ⁱ⁾ = Σ_m T_im x⁽ᵐ⁾,
 *
 * and these are interpolated to the cells between [yang2009].
 */
import type { FieldsOf, IndexField, RealField } from '../../compute/backend.ts';
import {
  correlatedLetkf,
  inflatedCorrelatedLetkf,
  inflatedLetkf,
  letkf,
  letkfForm,
  roomForLocal,
} from '../../operators/letkf/index.ts';
import type { LetkfFields, PointEstimate } from '../../operators/letkf/index.ts';
import { binGeometry, createLocaliser } from '../../operators/localisation/index.ts';
import type { LocalObservations, LocalisationGrid } from '../../operators/localisation/index.ts';
import { nodesAlong, nodesAround, nodeTable, weightInterpolation } from '../../operators/weight-interpolation/index.ts';
import type { Cell } from '../explanation.ts';
import { observesAlike, type MethodContext, type ObservedPositions } from '../method.ts';
import type { CorrelatedErrors } from '../shared/correlated-errors.ts';
import type { Departures } from '../shared/departures.ts';
import { createPointFactors, type PointFactors } from './point-factors.ts';

/** A place whose weights have a part in those of a cell; the shares sum to 1. */
interface WeightNode {
  /** In grid units of the basin; between walls it may lie outside. */
  readonly place: Cell;
  readonly share: number;
}

export interface LocalAnalysis {
  /**
   * Sorts the observations of the cycle by place, and makes room for as many as any place sees.
   *
   * @param areTogether whether some of their errors are correlated
   */
  readonly localise: (areTogether: boolean) => Promise<void>;
  /** Queues `analysis` from an ensemble, with `values` in place of those observed. */
  run(ensemble: RealField, analysis: RealField, values: RealField, departures: Departures): void;
  /** Where every place has a factor of its own. */
  readonly factors: PointFactors | undefined;
  /** `dual` where few observations are in reach of any place. */
  form(): 'dual' | 'primal';
  /** Where the weights of a cell come from. */
  nodesOf(cell: Cell): readonly WeightNode[];
  dispose(): void;
}

export interface LocalAnalysisSettings {
  /** Metres. */
  readonly halfWidth: number;
  readonly inflation: number;
  /** Cells from one analysis to the next, along each axis. */
  readonly every: number;
  /** How errors are correlated, where R is whole. */
  readonly together: CorrelatedErrors | undefined;
  /** How the factors of the places are found, beside the inflation; undefined if there are none. */
  readonly estimate: PointEstimate | undefined;
  /** The first of these factors. */
  readonly firstFactor: number;
}

/** The places that are analysed: a grid of their own, in whose units the observations' places are. */
interface Places {
  readonly grid: LocalisationGrid;
  /** Cells from one to the next along each axis. */
  readonly spacing: readonly [number, number];
  readonly halfWidthCells: number;
  readonly variables: number;
  readonly positionX: RealField;
  readonly positionY: RealField;
  /** Places of the observations, the same object if nothing has moved. */
  readonly located: (observed: ObservedPositions) => ObservedPositions;
}

/** The operator of the analysis on a grid, with its index of the observations. */
async function analyseAt(
  label: string,
  context: MethodContext,
  { grid, spacing, halfWidthCells, variables, positionX, positionY, located }: Places,
  { inflation, together, estimate, firstFactor }: Omit<LocalAnalysisSettings, 'halfWidth' | 'every'>,
) {
  const { backend, observations, positions, members } = context;
  const { capacity } = observations;
  const { binsX, binsY } = binGeometry(grid, halfWidthCells);
  const factors =
    estimate && (await createPointFactors(label, context, { grid, spacing, halfWidthCells, estimate, firstFactor }));
  const binStart: IndexField = backend.allocate(`${label}.binStart`, 'index', binsX * binsY + 1);
  const binObservations: IndexField = backend.allocate(`${label}.binObservations`, 'index', capacity);
  async function prepare(localCapacity: number, areTogether: boolean) {
    const observed = { observations: capacity, halfWidthCells, localCapacity };
    const parameters = { ...grid, variables, members, inflation, ...observed, form: 'auto' } as const;
    if (!together || !areTogether) {
      if (!factors) return backend.prepare(letkf, parameters);
      const each = await backend.prepare(inflatedLetkf, parameters);
      return {
        run: (fields: FieldsOf<LetkfFields>) => each.run({ ...fields, factor: factors.used }),
        dispose: () => each.dispose(),
      };
    }
    if (!factors) {
      const whole = await backend.prepare(correlatedLetkf, parameters);
      return {
        run: (fields: FieldsOf<LetkfFields>) => whole.run({ ...fields, ...together.rows() }),
        dispose: () => whole.dispose(),
      };
    }
    const wholeEach = await backend.prepare(inflatedCorrelatedLetkf, parameters);
    return {
      run: (fields: FieldsOf<LetkfFields>) => wholeEach.run({ ...fields, ...together.rows(), factor: factors.used }),
      dispose: () => wholeEach.dispose(),
    };
  }
  const localiser = createLocaliser(grid, halfWidthCells);
  let index: LocalObservations | undefined;
  let localCapacity = 0;
  let isTogether = false;
  let analysing = await prepare(localCapacity, isTogether);

  function seenBy({ observedEnsemble, inflatedEnsemble, inverseErrorStd }: Departures, values: RealField) {
    // What the factors of the places inflate is not inflated yet.
    const seen = factors ? observedEnsemble : inflatedEnsemble;
    const known = { observedEnsemble: seen, values, inverseErrorStd, positionX, positionY };
    return { ...known, binStart, binObservations };
  }

  return {
    localise: async (areTogether: boolean): Promise<void> => {
      const { x, y, inverseErrorStd } = located(positions());
      const next = localiser.locate(x, y, inverseErrorStd);
      if (next !== index) {
        index = next;
        backend.write(binStart, index.binStart);
        backend.write(binObservations, index.binObservations);
      }
      if (index.largest <= localCapacity && areTogether === isTogether) return;
      if (index.largest > localCapacity) {
        localCapacity = roomForLocal(index.largest, members);
        await factors?.prepare(localCapacity);
      }
      isTogether = areTogether;
      analysing.dispose();
      analysing = await prepare(localCapacity, isTogether);
    },
    factors: factors && {
      ...factors,
      begin: (departures: Departures) => factors.begin(seenBy(departures, observations.values)),
      update: (departures: Departures) => factors.update(seenBy(departures, observations.values)),
    },
    run(ensemble: RealField, analysis: RealField, values: RealField, departures: Departures): void {
      analysing.run({ ensemble, analysis, ...seenBy(departures, values) });
    },
    form: () => letkfForm({ form: 'auto', localCapacity, members }),
    dispose() {
      for (const owned of [binStart, binObservations, analysing]) owned.dispose();
      factors?.dispose();
    },
  };
}

function asTheyAre(observed: ObservedPositions): ObservedPositions {
  return observed;
}

/** An analysis in every cell. */
async function analyseCells(
  label: string,
  context: MethodContext,
  { halfWidth, ...settings }: LocalAnalysisSettings,
): Promise<LocalAnalysis> {
  const { model, observations } = context;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { positionX, positionY } = observations;
  const grid = { nx, ny, periodicX, periodicY, aspect: dy / dx };
  const variables = model.variables.length;
  const places: Places = {
    grid,
    spacing: [1, 1],
    halfWidthCells: halfWidth / dx,
    variables,
    positionX,
    positionY,
    located: asTheyAre,
  };
  const local = await analyseAt(label, context, places, settings);
  return { ...local, nodesOf: (place) => [{ place, share: 1 }] };
}

/** Analyses at the nodes of a coarse grid, whose weights are interpolated. */
async function analyseNodes(
  label: string,
  context: MethodContext,
  { halfWidth, every, ...settings }: LocalAnalysisSettings,
): Promise<LocalAnalysis> {
  const { backend, model, observations, members } = context;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { capacity } = observations;
  const nodesX = nodesAlong(nx, every, periodicX);
  const nodesY = nodesAlong(ny, every, periodicY);
  const nodes = nodesX.count * nodesY.count;
  const tableX = nodeTable(nx, nodesX, periodicX);
  const tableY = nodeTable(ny, nodesY, periodicY);
  const allocate = (name: string, length: number) => backend.allocate(`${label}.${name}`, 'real', length);
  const fields = {
    identity: allocate('identity', members * members * nodes),
    weights: allocate('nodeWeights', members * members * nodes),
    positionX: allocate('nodeX', capacity),
    positionY: allocate('nodeY', capacity),
  };
  for (let member = 0; member < members; member++) {
    const row = new Float64Array(members * nodes).fill(1, member * nodes, (member + 1) * nodes);
    backend.write(fields.identity, row, member * row.length);
  }
  let known: ObservedPositions | undefined;
  let scaled: ObservedPositions | undefined;
  /** In units of the nodes; kept if nothing has moved, and written where something has. */
  function located(observed: ObservedPositions): ObservedPositions {
    if (scaled && known?.inverseErrorStd === observed.inverseErrorStd && observesAlike(known, observed)) return scaled;
    const x = observed.x.map((place) => place / nodesX.spacing);
    const y = observed.y.map((place) => place / nodesY.spacing);
    if (!observesAlike(known, observed)) {
      backend.write(fields.positionX, x);
      backend.write(fields.positionY, y);
    }
    known = observed;
    scaled = { ...observed, x, y };
    return scaled;
  }
  const [spacingX, spacingY] = [dx * nodesX.spacing, dy * nodesY.spacing];
  const grid = { nx: nodesX.count, ny: nodesY.count, periodicX, periodicY, aspect: spacingY / spacingX };
  const { positionX, positionY } = fields;
  const places: Places = {
    grid,
    spacing: [nodesX.spacing, nodesY.spacing],
    halfWidthCells: halfWidth / spacingX,
    variables: members,
    positionX,
    positionY,
    located,
  };
  const local = await analyseAt(label, context, places, settings);
  const variables = model.variables.length;
  const size = { nx, ny, variables, members, periodicX, periodicY, nodesX, nodesY };
  const applying = await backend.prepare(weightInterpolation, size);
  return {
    localise: local.localise,
    factors: local.factors,
    run(ensemble, analysis, values, departures) {
      local.run(fields.identity, fields.weights, values, departures);
      applying.run({ weights: fields.weights, ensemble, analysis });
    },
    form: local.form,
    nodesOf: ({ x, y }) =>
      nodesAround(tableY, y).flatMap(([nodeY, shareY]) =>
        nodesAround(tableX, x).map(([nodeX, shareX]) => ({
          place: { x: nodeX * nodesX.spacing, y: nodeY * nodesY.spacing },
          share: shareX * shareY,
        })),
      ),
    dispose() {
      for (const owned of [local, applying, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** @param label of the method */
export function createLocalAnalysis(
  label: string,
  context: MethodContext,
  settings: LocalAnalysisSettings,
): Promise<LocalAnalysis> {
  return settings.every === 1 ? analyseCells(label, context, settings) : analyseNodes(label, context, settings);
}
