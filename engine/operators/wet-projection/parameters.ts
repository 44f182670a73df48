/** What the projection is prepared with, and the arrays it works on. */

export interface WetProjectionParameters {
  readonly variables: number;
  readonly cells: number;
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
}

export type WetProjectionFields = {
  /** [variables][cells]; variable 0 is the elevation of the surface, m. */
  readonly background: 'real';
  /** [cells], elevation of the bed, m. */
  readonly bed: 'real';
  /** [variables][cells], changed in place. */
  readonly increment: 'real';
};
