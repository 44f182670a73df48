/**
 * A factor ρ of the forecast's covariance for every place that is analysed, on the device. Found from the innovations around
 * [miyoshi2011], it is that of the cycles before, and is corrected after the analysis for the next one. That of the finite-size filter
 * [bocquet2011] is found from the innovations of the analysis itself, before it.
 */
import type { FieldsOf, RealField } from '../../compute/backend.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { inflationAtPlaces } from '../../operators/adaptive-inflation/index.ts';
import { pointInflation, type LetkfFields, type PointEstimate } from '../../operators/letkf/index.ts';
import type { LocalisationGrid } from '../../operators/localisation/index.ts';
import type { Cell } from '../explanation.ts';
import type { AdaptedFactor, MethodContext } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import { LEAST, MOST } from '../shared/inflation.ts';

export interface PointFactorSettings {
  readonly grid: LocalisationGrid;
  /** Cells from one place to the next along each axis. */
  readonly spacing: readonly [number, number];
  readonly halfWidthCells: number;
  readonly estimate: PointEstimate;
  readonly firstFactor: number;
}

/** What is known of the observations, as the analysis sees them. */
type Seen = Omit<FieldsOf<LetkfFields>, 'ensemble' | 'analysis'>;

/** The factors of a method's places. */
export interface PointFactors extends AdaptedFactor {
  /** Queues the factors of an analysis, before it. */
  begin(departures: Departures): void;
  /** Queues those of the next one, after it. */
  update(departures: Departures): void;
  /** Queues the inflation of what the members see, [members][capacity], by the factors of the next analysis. */
  readonly inflateObserved: (observedEnsemble: RealField) => void;
  /** @returns ρ of the latest analysis at one of the places, in grid units of the basin */
  at(place: Cell): Promise<number>;
}

/**
 * What a method's factors are made of; they start with `firstFactor`, and without room for an observation.
 *
 * @throws LimitError when a field does not fit the backend
 */
export async function createPointFactors(
  label: string,
  { backend, observations, members }: MethodContext,
  { grid, spacing, halfWidthCells, estimate, firstFactor }: PointFactorSettings,
) {
  const { nx, ny, periodicX, periodicY } = grid;
  const { capacity, positionX, positionY } = observations;
  const places = nx * ny;
  const allocate = (name: string, length: number) => backend.allocate(`${label}.factors.${name}`, 'real', length);
  const [next, used, mean, ones] = [
    allocate('next', places),
    allocate('used', places),
    allocate('mean', 1),
    allocate('ones', places),
  ];
  for (const field of [next, used]) backend.write(field, new Float64Array(places).fill(firstFactor));
  backend.write(ones, new Float64Array(places).fill(1));
  const averaging = await backend.prepare(dotProduct, { length: places, factor: 1 / places });
  const [spacingX, spacingY] = spacing;
  const inflating = await backend.prepare(inflationAtPlaces, {
    members,
    observations: capacity,
    nx,
    ny,
    periodicX,
    periodicY,
    spacingX,
    spacingY,
  });
  const isFinite = estimate.kind === 'finite-size';
  const prepareFor = (localCapacity: number) =>
    backend.prepare(pointInflation, {
      ...grid,
      members,
      observations: capacity,
      halfWidthCells,
      localCapacity,
      form: 'auto',
      estimate,
      least: LEAST,
      most: MOST,
    });
  let finding = await prepareFor(0);
  return {
    next,
    used,
    mean,
    /** Makes room for as many observations as any place sees. */
    async prepare(localCapacity: number): Promise<void> {
      finding.dispose();
      finding = await prepareFor(localCapacity);
    },
    begin(seen: Seen): void {
      if (isFinite) finding.run({ ...seen, factor: used });
      else backend.copy(next, used);
      averaging.run({ x: used, y: ones, result: mean });
    },
    update(seen: Seen): void {
      if (!isFinite) finding.run({ ...seen, factor: next });
    },
    inflateObserved: (ensemble: RealField) => inflating.run({ positionX, positionY, factor: next, ensemble }),
    async at({ x, y }: Cell): Promise<number> {
      const [factor] = await backend.read(used, Math.round(y / spacingY) * nx + Math.round(x / spacingX), 1);
      return factor;
    },
    dispose(): void {
      for (const owned of [next, used, mean, ones, averaging, inflating, finding]) owned.dispose();
    },
  };
}
