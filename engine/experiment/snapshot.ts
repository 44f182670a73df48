/**
 * What there is to draw of a running experiment, in fields on its backend: the truth, and of each method the mean of forecast
 * and analysis as surface elevation and momenta, the spread of the elevation, the innovations, and the members at chosen
 * points. Everything is queued at the moment when the state is what it should be; a caller reads the fields, or copies them
 * where they are.
 */
import type { Backend, Prepared, RealField } from '../compute/backend.ts';
import type { Method } from '../methods/index.ts';
import { ensembleMean, ensembleVariance } from '../operators/ensemble/index.ts';
import { createObservationOperator, observedVariable } from '../operators/observation/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import { standardDeviation } from '../operators/surface/index.ts';
import type { Experiment } from './experiment.ts';
import { createStatePlanes } from './stored-parts.ts';

/** Points whose members are recorded, at most. */
export const MAXIMUM_PROBES = 32;

/** A cell of the grid. */
export interface ProbeCell {
  readonly x: number;
  readonly y: number;
}

/** Planes of one method, which are [η, hu, hv][y][x], η in metres above the water at rest, momenta in m²/s. */
export interface MethodPlanes {
  readonly method: string;
  readonly forecast: RealField;
  readonly analysis: RealField;
  /** Standard deviation of η over the members after the analysis, m, [y][x]; undefined for a method with one member. */
  readonly spread: RealField | undefined;
}

/** Surface elevations inside the forecast window: what moves between two analyses. */
interface RecordedFrames {
  /** Frames of a window, at most. */
  readonly count: number;
  /** η in m, [subject][frame][y][x]: the truth first, then the means of the methods in their order. */
  readonly field: RealField;
  /** By subject, the shares of the window that had passed at its frames of the latest window, ascending. */
  readonly shares: readonly (readonly number[])[];
}

/** Surface elevation η at one point, m. */
interface ProbeValues {
  readonly truth: number;
  readonly methods: Readonly<
    Record<string, { readonly forecast: number; readonly analysis: number; readonly members: Float32Array }>
  >;
}

/** Call `frame`, `forecast` and `analysis` from the experiment's observer, and `truth` after each step. */
export interface SnapshotRecorder {
  /** [η, hu, hv][y][x] */
  readonly truthPlanes: RealField;
  readonly methods: readonly MethodPlanes[];
  /** Undefined where no frames were asked for. */
  readonly frames: RecordedFrames | undefined;
  /** Queues the surface of a method, or of the truth, as it is now: inside of a forecast window. */
  frame(who: Method | undefined, index: number, share: number): void;
  /** Queues truth and methods as they are now, forecast and analysis alike: before the first cycle. */
  start(): void;
  /** Queues what is drawn of a method whose state is its forecast, or its analysis. */
  forecast(method: Method): void;
  analysis(method: Method): void;
  /** Queues the truth as it is now. */
  truth(): void;
  /** y − mean H(x) of the latest analysis by method, 0 where an observation is not used; `count` numbers each. */
  innovations(count: number): Promise<Record<string, Float64Array>>;
  /** Points that are recorded from the next forecast on. @throws RangeError when there are too many, or one is outside */
  probe(cells: readonly ProbeCell[]): void;
  /** What the points showed in the cycle that was recorded last, in the order of `probe`; of `start` nothing. */
  readProbes(): Promise<readonly ProbeValues[]>;
  dispose(): void;
}

interface RecordedMethod extends MethodPlanes {
  readonly source: Method;
  readonly averaging: Prepared<typeof ensembleMean.fields>;
  readonly varying: Prepared<typeof ensembleVariance.fields> | undefined;
  readonly observedMembers: RealField;
  /** Where its numbers begin in the packed probes. */
  readonly probeOffset: number;
}

/** The innovations of all methods one after the other, with room for so many of each. */
interface PackedInnovations {
  readonly each: number;
  readonly field: RealField;
}

/**
 * @param experiment whose observer the recorder will be; it must outlive the recorder
 * @param frameCount frames of each forecast window, at most
 */
export async function createSnapshotRecorder(
  backend: Backend,
  experiment: Experiment,
  frameCount = 0,
): Promise<SnapshotRecorder> {
  const { model, truth, methods } = experiment;
  const { nx, ny } = model.grid;
  const cells = nx * ny;
  const variables = model.variables.length;
  const length = variables * cells;
  const disposables: { dispose(): void }[] = [];
  const own = <Owned extends { dispose(): void }>(owned: Owned): Owned => {
    disposables.push(owned);
    return owned;
  };
  const field = (label: string, size: number): RealField => own(backend.allocate(`snapshot.${label}`, 'real', size));

  const surface = own(await createStatePlanes(backend, model));
  const mean = surface.lifts ? field('mean', length) : undefined;
  const rooting = own(await backend.prepare(standardDeviation, { length: cells }));
  const variance = methods.some(({ members }) => members > 1) ? field('variance', length) : undefined;
  const truthPlanes = field('truth', length);
  const probes = own(await createProbeOperator(backend, experiment));

  const recorded: RecordedMethod[] = [];
  let probeLength = MAXIMUM_PROBES;
  for (const source of methods) {
    const { label, members } = source;
    recorded.push({
      method: label,
      source,
      forecast: field(`${label}.forecast`, length),
      analysis: field(`${label}.analysis`, length),
      spread: members > 1 ? field(`${label}.spread`, cells) : undefined,
      averaging: own(await backend.prepare(ensembleMean, { members, length })),
      varying: members > 1 ? own(await backend.prepare(ensembleVariance, { members, length })) : undefined,
      observedMembers: field(`${label}.probes`, members * MAXIMUM_PROBES),
      probeOffset: probeLength,
    });
    probeLength += (1 + members) * MAXIMUM_PROBES;
  }
  const frames =
    frameCount > 0
      ? {
          count: frameCount,
          field: field('frames', (1 + methods.length) * frameCount * cells),
          /** The planes of the moment, of which the first is kept. */
          planes: field('frame', length),
          shares: Array.from({ length: 1 + methods.length }, (): number[] => []),
        }
      : undefined;
  const packedProbes = field('probes', probeLength);
  let packedInnovations: PackedInnovations | undefined;
  /** Room as methods have it: there is more, or less, when gauges were painted. */
  const innovationsOf = (each: number): PackedInnovations => {
    if (packedInnovations?.each === each) return packedInnovations;
    packedInnovations?.field.dispose();
    packedInnovations = {
      each,
      field: backend.allocate('snapshot.innovations', 'real', Math.max(1, recorded.length * each)),
    };
    return packedInnovations;
  };
  let points: readonly number[] = [];

  const planesOf = (state: RealField, planes: RealField): void => surface.run(state, planes);
  const meanOf = ({ averaging, source }: RecordedMethod, planes: RealField): void => {
    averaging.run({ ensemble: source.state, mean: mean ?? planes });
    if (mean) planesOf(mean, planes);
  };
  const spreadOf = ({ varying, spread, source }: RecordedMethod): void => {
    if (!varying || !spread || !variance) return;
    varying.run({ ensemble: source.state, variance });
    rooting.run({ variance, deviation: spread });
  };
  /** Copies η at the points, one after the other. */
  const pick = (planes: RealField, targetOffset: number): void => {
    points.forEach((cell, i) => {
      backend.copy(planes, packedProbes, { sourceOffset: cell, targetOffset: targetOffset + i, length: 1 });
    });
  };
  const recordOf = (method: Method): RecordedMethod => {
    const found = recorded.find(({ source }) => source === method);
    if (!found) throw new RangeError(`the method ${method.label} is not of this recorder's experiment`);
    return found;
  };

  return {
    truthPlanes,
    methods: recorded,
    frames,
    frame(who, index, share) {
      if (!frames || index >= frames.count) return;
      const subject = who ? 1 + recorded.indexOf(recordOf(who)) : 0;
      if (who) meanOf(recordOf(who), frames.planes);
      else planesOf(truth, frames.planes);
      const targetOffset = (subject * frames.count + index) * cells;
      backend.copy(frames.planes, frames.field, { targetOffset, length: cells });
      const shares = frames.shares[subject];
      shares.length = index;
      shares.push(share);
    },
    start() {
      planesOf(truth, truthPlanes);
      for (const each of recorded) {
        meanOf(each, each.analysis);
        backend.copy(each.analysis, each.forecast);
        spreadOf(each);
      }
    },
    forecast(method) {
      const record = recordOf(method);
      meanOf(record, record.forecast);
      pick(record.forecast, record.probeOffset);
    },
    analysis(method) {
      const record = recordOf(method);
      const { observedMembers, probeOffset } = record;
      const { innovation } = method.departures;
      meanOf(record, record.analysis);
      spreadOf(record);
      backend.copy(innovation, innovationsOf(innovation.length).field, {
        targetOffset: recorded.indexOf(record) * innovation.length,
      });
      if (points.length === 0) return;
      probes.observe(method.state, method.members, observedMembers);
      backend.copy(observedMembers, packedProbes, { targetOffset: probeOffset + MAXIMUM_PROBES });
    },
    truth() {
      planesOf(truth, truthPlanes);
      pick(truthPlanes, 0);
    },
    async innovations(count) {
      const { each = 0, field: packed } = packedInnovations ?? {};
      const values = count > 0 && packed ? await backend.read(packed) : new Float64Array(0);
      return Object.fromEntries(
        recorded.map(({ method }, index) => [method, values.slice(index * each, index * each + count)]),
      );
    },
    probe(wanted) {
      if (wanted.length > MAXIMUM_PROBES) {
        throw new RangeError(`${wanted.length} probes asked for, at most ${MAXIMUM_PROBES} are recorded`);
      }
      for (const { x, y } of wanted) {
        const inside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && x < nx && y >= 0 && y < ny;
        if (!inside) throw new RangeError(`a probe at (${x}, ${y}) is no cell of ${nx} × ${ny}`);
      }
      points = wanted.map(({ x, y }) => y * nx + x);
      if (points.length === 0) return;
      const nothing = new Float64Array(points.length);
      probes.set({
        x: wanted.map(({ x }) => x),
        y: wanted.map(({ y }) => y),
        variable: wanted.map(() => observedVariable(model.surface === undefined ? 'state0' : 'eta').code),
        values: nothing,
        inverseErrorStd: nothing,
      });
    },
    async readProbes() {
      if (points.length === 0) return [];
      const values = await backend.read(packedProbes);
      return points.map((_, i) => ({
        truth: values[i],
        methods: Object.fromEntries(recorded.map((record) => [record.method, valuesAt(values, record, i)])),
      }));
    },
    dispose() {
      packedInnovations?.field.dispose();
      for (const owned of disposables.splice(0).reverse()) owned.dispose();
    },
  };
}

function valuesAt(values: Float64Array, { probeOffset, source }: RecordedMethod, point: number) {
  const first = probeOffset + MAXIMUM_PROBES + point;
  const members = Float32Array.from({ length: source.members }, (_, member) => values[first + member * MAXIMUM_PROBES]);
  const analysis = members.reduce((sum, value) => sum + value, 0) / source.members;
  return { forecast: values[probeOffset + point], analysis, members };
}

/** Reads η of every member at the points: an observing network of its own. */
function createProbeOperator(backend: Backend, { model, methods }: Experiment): Promise<ObservationOperator> {
  const { grid, surface, bed } = model;
  const observed = { grid, surface, bed, variables: model.variables.map(({ name }) => name) };
  const members = [...new Set(methods.map((method) => method.members))];
  return createObservationOperator(backend, observed, { capacity: MAXIMUM_PROBES, members });
}
