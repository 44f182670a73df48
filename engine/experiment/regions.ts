/** The regions of a basin, its quadrants, or of a ring, its quarters: their names, and how wrong and how uncertain a method is in each. */
import type { Backend, RealField } from '../compute/backend.ts';
import { regionScores, REGION_SUMS } from '../operators/region-scores/index.ts';
import type { RegionErrors } from './events.ts';

/** Numbers of cells along both axes. */
interface Extent {
  readonly nx: number;
  readonly ny: number;
}

/** Regions of a basin, and of a ring. */
export const REGIONS = 4;

/** The arrangement of the regions: a basin has two columns and two rows, with y to the north, a ring one row. */
function arrangedIn({ ny }: Pick<Extent, 'ny'>): { readonly columns: number; readonly rows: number } {
  return ny === 1 ? { columns: REGIONS, rows: 1 } : { columns: 2, rows: 2 };
}

/** @returns which part of an axis a place is in; beyond a wall the nearest */
function partOf(place: number, cells: number, parts: number): number {
  return Math.min(parts - 1, Math.max(0, Math.floor((parts * place) / cells)));
}

/** @returns the number of the region that a place in grid units is in: south-west, south-east, north-west, north-east, or round a ring */
function regionAt(x: number, y: number, { nx, ny }: Extent): number {
  const { columns, rows } = arrangedIn({ ny });
  return partOf(y, ny, rows) * columns + partOf(x, nx, columns);
}

/** @returns what the regions are called, by their numbers */
export function regionNames({ nx, ny }: Extent): readonly string[] {
  if (ny > 1) return ['south-west', 'south-east', 'north-west', 'north-east'];
  const bounds = Array.from({ length: REGIONS + 1 }, (_, quarter) => Math.ceil((quarter * nx) / REGIONS));
  return bounds.slice(1).map((end, quarter) => `places ${bounds[quarter]} to ${end - 1}`);
}

/** @returns what the region of a place in grid units is called */
export function regionOf(x: number, y: number, grid: Extent): string {
  return regionNames(grid)[regionAt(x, y, grid)];
}

export interface RegionMeasures {
  /** What is measured, [strips][variables] of the operator's sums. */
  readonly sums: RealField;
  /** Queues the sums of an ensemble. */
  run(ensemble: RealField, truth: RealField, weight: RealField): void;
  /** @param numbers of `sums` */
  read(numbers: Float64Array): RegionErrors;
  dispose(): void;
}

/** Rows of cells that are summed at once, at least, and strips of so many in a region, at most: many workgroups have a part in it. */
const STRIP = 4;
const MOST_STRIPS = 32;

/** @param names of the variables */
export async function createRegionMeasures(
  backend: Backend,
  { nx, ny, members, names }: Extent & { readonly members: number; readonly names: readonly string[] },
): Promise<RegionMeasures> {
  const { columns, rows } = arrangedIn({ ny });
  const strips = Math.min(MOST_STRIPS, Math.ceil(ny / rows / STRIP));
  const shape = { members, variables: names.length, nx, ny, columns, rows: rows * strips };
  const scoring = await backend.prepare(regionScores, shape);
  const sums = backend.allocate('diagnostics.regions', 'real', REGION_SUMS * columns * rows * strips * names.length);
  const totalOf = (numbers: Float64Array, region: number, variable: number, quantity: number): number => {
    const [column, row] = [region % columns, Math.floor(region / columns)];
    let total = 0;
    for (let strip = row * strips; strip < (row + 1) * strips; strip++) {
      total += numbers[((strip * columns + column) * names.length + variable) * REGION_SUMS + quantity];
    }
    return total;
  };
  return {
    sums,
    run: (ensemble, truth, weight) => scoring.run({ ensemble, truth, weight, sums }),
    read(numbers) {
      const roots = (quantity: number) =>
        Object.fromEntries(
          names.map((name, variable) => [
            name,
            Array.from({ length: REGIONS }, (_, region) =>
              Math.sqrt(totalOf(numbers, region, variable, quantity) / totalOf(numbers, region, variable, 0)),
            ),
          ]),
        );
      return { rmse: roots(1), spread: members > 1 ? roots(2) : {} };
    },
    dispose() {
      for (const owned of [scoring, sums]) owned.dispose();
    },
  };
}
