/**
 * What a kind of initial state is: depth h (m) and momenta hu, hv (m²/s) at cell centres, [3][ny][nx], or the variables of a
 * model without water, and what is known of them before they are drawn. Each kind is one definition, listed in `index.ts`, from
 * which the schema, the form, the checks, the warnings, the estimates and the run derive. Every random draw comes from the stream
 * that is given.
 */
import type { z } from 'zod';
import type { RandomStream } from '../random/stream.ts';
import { describedKind, cellLength, choice, drawnFrom } from '../settings/index.ts';
import type { BasinSettings, NamedFile, Problem, ScenarioFiles, Situation } from '../settings/index.ts';
import type { Grid } from '../models/index.ts';
import type { Coriolis } from '../operators/geostrophic-balance/index.ts';

/** Settings that several kinds of initial states have, and drops that fall during the run. */
export function amplitudeField(description: string, standard: readonly [number, number]) {
  return drawnFrom({ title: 'Amplitude', description, unit: 'm', minimum: -1000, maximum: 1000, default: standard });
}

export function widthField(description: string) {
  return cellLength({
    title: 'Width',
    description,
    unit: 'm',
    above: 0,
    maximum: 1e8,
    cells: 10,
    isInside: true,
  });
}

/** Whether drops change how much water there is. A file that does not say it means what it meant before there was the choice. */
export function volumeField() {
  return choice({
    title: 'Volume',
    description:
      'added: a drop adds its water to the basin. displaced: the water of a drop comes from the basin, whose level falls everywhere by as much, so that drops that fall for ever do not fill it. The waves are the same: a change of level alone moves nothing.',
    words: ['added', 'displaced'],
    default: 'added',
  });
}

/** @param description of the speed, m/s */
export function speedField(description: string, standard: readonly [number, number]) {
  return drawnFrom({ title: 'Speed', description, unit: 'm/s', minimum: -100, maximum: 100, default: standard });
}

/** @param of what is there */
export function placeField(axis: 'x' | 'y', of: string) {
  return drawnFrom({
    title: `Place along ${axis}`,
    description: `Place of ${of}, drawn from this range, as a share of the basin’s length along ${axis}.`,
    minimum: 0,
    maximum: 1,
    default: [0.5, 0.5],
  });
}

/** What an initial state is based on. */
export interface Basin {
  readonly grid: Grid;
  /** Elevation of the bed above the water at rest, metres, [ny][nx]. */
  readonly bed: Float64Array;
  /** m/s² */
  readonly gravity: number;
  readonly coriolis: Coriolis;
  /** The state at rest of a model without water: one value for each variable, which it keeps in every cell. */
  readonly steadyState?: readonly number[] | undefined;
  /** A state of such a model's climate, drawn from a stream and run for so long, [variable][ny][nx]. */
  readonly climate?: ((stream: RandomStream, time: number) => Float64Array) | undefined;
}

/** @returns variables of a state: h, hu, hv, or those of a model without water */
export function variableCount({ steadyState }: Basin): number {
  return steadyState?.length ?? 3;
}

/** Surface elevation (m) and velocity (m/s) at a place. */
interface Flow {
  readonly eta: number;
  readonly u: number;
  readonly v: number;
}

export type FlowAt = (x: number, y: number) => Flow;

/** Water at rest with its surface at an elevation. */
export function still(eta: number): Flow {
  return { eta, u: 0, v: 0 };
}

/** Distance between the first and the last place of an axis; on a periodic one, its period. */
export function extent(n: number, d: number, periodic: boolean): number {
  return (periodic ? n : n - 1) * d;
}

/** The shortest way from one place to another along an axis. */
export function difference(to: number, from: number, length: number, periodic: boolean): number {
  const straight = to - from;
  return periodic ? straight - length * Math.round(straight / length) : straight;
}

/** A function of the squared distance (m²) from a centre, and of the way there. */
export function around(
  grid: Grid,
  centre: { readonly x: number; readonly y: number },
): (x: number, y: number) => { along: number; across: number } {
  const lengthX = extent(grid.nx, grid.dx, grid.periodicX);
  const lengthY = extent(grid.ny, grid.dy, grid.periodicY);
  return (x, y) => ({
    along: difference(x, centre.x, lengthX, grid.periodicX),
    across: difference(y, centre.y, lengthY, grid.periodicY),
  });
}

/** Depth and momenta of a flow over the basin's bed; no water above dry land that the surface does not reach. */
export function fill(flowAt: FlowAt, { grid: { nx, ny, dx, dy }, bed }: Basin): Float64Array {
  const n = nx * ny;
  const state = new Float64Array(3 * n);
  for (let cell = 0; cell < n; cell++) {
    const { eta, u, v } = flowAt((cell % nx) * dx, Math.floor(cell / nx) * dy);
    const h = Math.max(0, eta - bed[cell]);
    state[cell] = h;
    state[n + cell] = h * u;
    state[2 * n + cell] = h * v;
  }
  return state;
}

/** Water at rest under a surface, with no current. @param elevation of the surface, metres, [ny][nx] */
export function atRest(elevation: Float64Array, bed: Float64Array): Float64Array {
  const state = new Float64Array(3 * bed.length);
  for (let cell = 0; cell < bed.length; cell++) state[cell] = Math.max(0, elevation[cell] - bed[cell]);
  return state;
}

/** How far one feature of an initial state reaches. */
export interface Reach {
  /** Elevation of the surface, m. */
  readonly lowest: number;
  readonly highest: number;
  /** The greatest, m/s. */
  readonly speed: number;
}

/** What an initial state may be made of beside its random draws. */
export interface Given {
  readonly files: ScenarioFiles;
  /** Which member it is drawn for; the truth is 0. */
  readonly member: number;
  /** The truth's initial state before its perturbation; undefined for the truth itself. */
  readonly truth: Float64Array | undefined;
}

/** All that a kind of initial state says of itself; what is omitted has nothing to say. Paths of problems begin inside its settings. */
export interface InitialStateParts<Settings> {
  /** Omitted by what is at rest under a flat surface, and if settings do not determine it. */
  reach?(settings: Settings): Reach;
  /** Whether two draws differ. */
  varies(settings: Settings): boolean;
  /** How many features are drawn one by one, each of them an exponential a cell; one if omitted. */
  features?(settings: Settings): number;
  /** What settings that are right by themselves have against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Settings of the truth that are allowed and yet not what they seem. */
  warnings?(settings: Settings, situation: Situation): readonly Problem[];
  /** The world that it is of, where it is of one alone: a basin's have a surface with currents under it. */
  readonly world?: 'basin' | 'ring';
  /** Whether it is the truth's own, which the background alone can begin with. */
  readonly isOfTruth?: boolean;
  /** The file that it is read from. */
  readonly reads?: NamedFile<Settings>;
  /** @returns the model's variables, of water h, hu and hv, [variable][ny][nx] */
  draw(settings: Settings, basin: Basin, stream: RandomStream, given: Given): Float64Array;
}

/** @returns the definition of an initial state whose settings are `schema`'s */
export function defineInitialState<Schema extends z.ZodObject>(
  schema: Schema,
  parts: InitialStateParts<z.output<Schema>>,
) {
  return describedKind(schema, parts);
}

/** Whether two draws from a range differ. */
export function differs([low, high]: readonly [number, number]): boolean {
  return low !== high;
}
