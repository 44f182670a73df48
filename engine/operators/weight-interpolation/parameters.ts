/** What the operator is prepared with, and the arrays it works on. */
import { nodeTable } from './nodes.ts';
import type { Nodes, NodeTable } from './nodes.ts';

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
