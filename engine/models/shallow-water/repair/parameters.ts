/** What the repair is prepared with. */

export interface RepairParameters {
  readonly members: number;
  readonly cells: number;
  /** Smallest depth, metres: 0 where cells may be dry. */
  readonly floor: number;
  /** A depth up to this, metres, is taken as dry. */
  readonly dryDepth: number;
  /** Where component 0 is the elevation η: the bed, [y][x], metres. Where it is the depth: undefined. */
  readonly bed: Float64Array | undefined;
}
