/** Numbers of a cycle's observations that the heads of stems show in place of innovations. */
export interface ShownHeads {
  readonly cycle: number;
  /** By what the stage calls a method, a number for each observation; heads of other views stay neutral. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** Size at which a head has its full colour. */
  readonly full: number;
  /** What the two ends of the colours mean: of numbers above 0, and below. */
  readonly above: string;
  readonly below: string;
  /** What the colours show, in one sentence. */
  readonly help: string;
}
