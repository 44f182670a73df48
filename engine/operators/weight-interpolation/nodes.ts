/** The nodes of a coarse grid over the cells of an axis, and how a cell lies between them. */

/** Evenly spread: node j lies at `spacing` · j cells. */
export interface Nodes {
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
