/** What the projection is prepared with, and the arrays it works on. */

export interface WetProjectionParameters {
  readonly variables: number;
  readonly cells: number;
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
  /** The depth from which on an increment is whole, metres; below it, it is in proportion to the depth. 0 for none. */
  readonly thinDepth: number;
}

export type WetProjectionFields = {
  /** [variables][cells]; variable 0 is the elevation of the surface, m. */
  readonly background: 'real';
  /** [cells], elevation of the bed, m. */
  readonly bed: 'real';
  /** [variables][cells], changed in place. */
  readonly increment: 'real';
};
