/** Interpolated weights in float64, cell by cell. */
import type { ArraysOf } from '../../compute/backend.ts';

/** Evenly spread: node j lies at `spacing` · j cells. */
interface Nodes {
  readonly count: number;
  /** Cells from one to the next. */
  readonly spacing: number;
}

/**
 * Nodes at every `every`-th cell, from the first one on. Between walls the last node is the first that no cell lies beyond,
 * outside of the basin where their number does not come out even; round a periodic axis they are a little nearer then.
 */
export function nodesAlong(cells: number, every: number, periodic: boolean): Nodes {
  if (!periodic) return { count: Math.ceil((cells - 1) / every) + 1, spacing: every };
  const count = Math.ceil(cells / every);
  return { count, spacing: cells / count };
}

/** For each cell of an axis, the nodes on both sides, and the share of the second one, from 0 to below 1. */
export interface NodeTable {
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  readonly fraction: Float64Array;
}

export function nodeTable(cells: number, { count, spacing }: Nodes, periodic: boolean): NodeTable {
  const left = Uint32Array.from({ length: cells }, (_, cell) => Math.min(count - 1, Math.floor(cell / spacing)));
  const last = periodic ? 0 : count - 1;
  return {
    left,
    right: left.map((node) => (node + 1 < count ? node + 1 : last)),
    fraction: Float64Array.from(left, (node, cell) => Math.max(0, cell / spacing - node)),
  };
}

export interface WeightInterpolationParameters {
  readonly nx: number;
  readonly ny: number;
  readonly variables: number;
  /** k */
  readonly members: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** As `nodesAlong` makes them. */
  readonly nodesX: Nodes;
  readonly nodesY: Nodes;
}

/**
 * - `weights`: [member i of the analysis][member m][nodesY][nodesX], their sum over m is 1
 * - `ensemble` (in), `analysis` (written, another field): [members][variables][ny][nx]
 */
export const weightInterpolationFields = { weights: 'real', ensemble: 'real', analysis: 'real' } as const;

export type WeightInterpolationFields = typeof weightInterpolationFields;

/** The nodes around each cell. */
export function tablesOf(parameters: WeightInterpolationParameters): { readonly x: NodeTable; readonly y: NodeTable } {
  const { nx, ny, periodicX, periodicY, nodesX, nodesY } = parameters;
  return { x: nodeTable(nx, nodesX, periodicX), y: nodeTable(ny, nodesY, periodicY) };
}

export function weightInterpolationReference(
  parameters: WeightInterpolationParameters,
): (arrays: ArraysOf<WeightInterpolationFields>) => void {
  const { nx, ny, variables, members: k, nodesX, nodesY } = parameters;
  const tables = tablesOf(parameters);
  const cells = nx * ny;
  const nodes = nodesX.count * nodesY.count;
  const transform = new Float64Array(k * k);
  return ({ weights, ensemble, analysis }) => {
    for (let y = 0; y < ny; y++) {
      const [below, above] = [tables.y.left[y] * nodesX.count, tables.y.right[y] * nodesX.count];
      const up = tables.y.fraction[y];
      for (let x = 0; x < nx; x++) {
        const [left, right] = [tables.x.left[x], tables.x.right[x]];
        const along = tables.x.fraction[x];
        for (let e = 0; e < k * k; e++) {
          const at = e * nodes;
          const one = (1 - up) * weights[at + below + left] + up * weights[at + above + left];
          const other = (1 - up) * weights[at + below + right] + up * weights[at + above + right];
          transform[e] = (1 - along) * one + along * other;
        }
        for (let v = 0; v < variables; v++) {
          const first = v * cells + y * nx + x;
          const origin = ensemble[first];
          for (let i = 0; i < k; i++) {
            let sum = 0;
            for (let m = 1; m < k; m++)
              sum += transform[i * k + m] * (ensemble[first + m * variables * cells] - origin);
            analysis[first + i * variables * cells] = origin + sum;
          }
        }
      }
    }
  };
}
