/** A box cut into cells, and functions laid on them. Arrays are [y][x], x fastest. */

export interface Cells {
  readonly nx: number;
  readonly ny: number;
  /** The corner of the box with the smallest coordinates, m. */
  readonly x0: number;
  readonly y0: number;
  /** Sides of a cell, m. */
  readonly dx: number;
  readonly dy: number;
}

type Interval = readonly [number, number];

/** [x₀, x₁] × [y₀, y₁] in nx × ny cells. */
export function box(nx: number, ny: number, [x0, x1]: Interval, [y0, y1]: Interval): Cells {
  return { nx, ny, x0, y0, dx: (x1 - x0) / nx, dy: (y1 - y0) / ny };
}

/** One row of square cells along [x₀, x₁]: a problem in x alone. */
export function row(nx: number, [x0, x1]: Interval): Cells {
  const dx = (x1 - x0) / nx;
  return { nx, ny: 1, x0, y0: -dx / 2, dx, dy: dx };
}

/** f at the centres of the cells. */
export function atCentres({ nx, ny, x0, y0, dx, dy }: Cells, f: (x: number, y: number) => number): Float64Array {
  const values = new Float64Array(nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) values[j * nx + i] = f(x0 + (i + 0.5) * dx, y0 + (j + 0.5) * dy);
  }
  return values;
}

/** Means of f over the cells, by the midpoint rule on `parts` × `parts` parts of each: what a finite-volume state represents. */
export function meansOver(cells: Cells, f: (x: number, y: number) => number, parts = 8): Float64Array {
  const { nx, ny, dx, dy } = cells;
  const fine = { ...cells, nx: nx * parts, ny: ny * parts, dx: dx / parts, dy: dy / parts };
  return coarsen(atCentres(fine, f), fine, parts);
}

/** Means of blocks of `factor` × `factor` cells. */
export function coarsen(fine: Float64Array, { nx, ny }: Pick<Cells, 'nx' | 'ny'>, factor: number): Float64Array {
  const width = nx / factor;
  const coarse = new Float64Array(width * (ny / factor));
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) coarse[Math.floor(j / factor) * width + Math.floor(i / factor)] += fine[j * nx + i];
  }
  return coarse.map((sum) => sum / factor ** 2);
}
