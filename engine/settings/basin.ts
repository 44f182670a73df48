/** The basin of a scenario in metres: how far it reaches, and what lies in it. */

/** Facts about one observing network. */
export interface ObservingNetwork {
  readonly variable: string;
  /** In the unit of the variable. */
  readonly errorStandardDeviation: number;
  /** Observations in one analysis at most; undefined where a file says. */
  readonly capacity: number | undefined;
  /** Places at a time whose errors are correlated; none if omitted. */
  readonly together?: number | undefined;
  /** Standard deviations beyond which innovations are rejected; 0 keeps all. */
  readonly qualityControl: number;
}

/** The parts that are as the scenario has them keep its names. */
export interface Situation extends BasinSettings {
  readonly model: BasinSettings['model'] & {
    /** 1/s in the middle, and its change along y, 1/(m s); of a model of water alone. */
    readonly coriolis?: { readonly f: number; readonly beta: number };
  };
  /** Variables of the model's state, in its order. */
  readonly variables: readonly string[];
  readonly background: {
    readonly members: number;
    readonly perturbation: { readonly standardDeviation: number; readonly balance: 'none' | 'geostrophic' };
  };
  readonly networks: readonly ObservingNetwork[];
  /** In one analysis at most, those of files omitted: what there is room for. */
  readonly observations: number;
  /** Model steps of a window, about: not yet a whole number of them. */
  readonly steps: number;
  /** Reals that the model keeps of a step for its derivative. */
  readonly linearKept: number;
  /** Times inside a window at which is observed. */
  readonly moments: number;
  /** Depth of the water at rest if the scenario states the bottom, m; undefined if a file gives it. */
  readonly depth: number | undefined;
}

/** The settings of a scenario that determine how far its basin reaches. */
export interface BasinSettings {
  /** Cells, and metres between their centres. */
  readonly grid: { readonly nx: number; readonly ny: number; readonly dx: number; readonly dy: number };
  readonly model: {
    readonly kind?: string | undefined;
    /** Other words than "periodic" are sides. A model without the setting is on a ring: its x has no ends. */
    readonly boundary?: { readonly x: string; readonly y: string };
  };
}

const RING = { x: 'periodic', y: 'wall' } as const;

/** Ratios and shares that differ by less are the same: far above the rounding of decimal fractions, far below a step. */
const ROUNDING = 1e-6;

/** @returns whether a value is a whole multiple of a unit, within rounding */
export function multipleOf(value: number, unit: number): boolean {
  const ratio = value / unit;
  return Math.abs(ratio - Math.round(ratio)) <= ROUNDING;
}

/** @returns what is at the ends of each axis */
export function boundaryOf({ boundary = RING }: BasinSettings['model']): { readonly x: string; readonly y: string } {
  return boundary;
}

/** @returns the unit of lengths in a basin, with a space before it; nothing on a ring, whose places are counted */
export function lengthUnit({ boundary }: BasinSettings['model']): string {
  return boundary === undefined ? '' : ' m';
}

/** @returns the largest coordinate along x and y, metres: of the last centre, or one period */
export function extents({ grid, model }: BasinSettings): readonly [number, number] {
  const { nx, ny, dx, dy } = grid;
  const { x, y } = boundaryOf(model);
  return [(x === 'periodic' ? nx : nx - 1) * dx, (y === 'periodic' ? ny : ny - 1) * dy];
}

/** @returns whether a coordinate lies outside 0 … most, within rounding */
export function isOutside(value: number, most: number): boolean {
  return value < 0 || value > most * (1 + ROUNDING);
}

/** @returns that a place lies outside the basin, or undefined. @param unit of the place and of the cells' widths */
export function placeProblem([x, y]: readonly [number, number], basin: BasinSettings, unit = 'm'): string | undefined {
  const [mostX, mostY] = extents(basin);
  if (!isOutside(x, mostX) && !isOutside(y, mostY)) return undefined;
  const { boundary } = basin.model;
  const along = mostY === 0 ? '0' : `from 0 to ${tidy(mostY)}`;
  const told = boundary ? ` (${unit})` : '';
  return `found [${x}, ${y}], which lies outside the ${boundary ? 'basin' : 'ring'}; allowed: x from 0 to ${tidy(mostX)} and y ${along}${told}`;
}

/** @returns that a place in cells lies outside the basin, or undefined; (0, 0) is the centre of the first cell */
export function cellProblem(place: readonly [number, number], { grid, model }: BasinSettings): string | undefined {
  return placeProblem(place, { grid: { ...grid, dx: 1, dy: 1 }, model }, 'cells');
}

/** @returns a number with readable digits */
export function tidy(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** @returns the largest distance between two places of the basin, metres */
export function farthest(basin: BasinSettings): number {
  const { x, y } = boundaryOf(basin.model);
  const [lengthX, lengthY] = extents(basin);
  return Math.hypot(x === 'periodic' ? lengthX / 2 : lengthX, y === 'periodic' ? lengthY / 2 : lengthY);
}

/** @returns why a balance is not available in the basin, or undefined */
export function balanceProblem(
  balance: 'none' | 'geostrophic',
  situation: Pick<Situation, 'grid' | 'model'>,
): string | undefined {
  if (balance === 'none') return undefined;
  const { coriolis } = situation.model;
  if (coriolis === undefined) return 'found "geostrophic", allowed: "none" with a model that has no currents';
  const { f, beta } = coriolis;
  const [, mostY] = extents(situation);
  if (Math.abs(f) > (Math.abs(beta) * mostY) / 2) return undefined;
  const why = `the Coriolis parameter (f ${f}, beta ${beta}) is zero ${beta === 0 ? '' : 'somewhere '}in the basin`;
  return `found "geostrophic", allowed: "none" where ${why}`;
}
