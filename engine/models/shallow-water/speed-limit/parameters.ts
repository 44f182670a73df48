/** What the speed limit is prepared with, and the arrays it works on. */

export interface SpeedLimitParameters {
  readonly members: number;
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** m/s² */
  readonly gravity: number;
  /** A depth up to this, metres, is dry: it has no momentum, and gives none. */
  readonly dryDepth: number;
  /** Elevation of the bed, [y][x], metres. */
  readonly bed: Float64Array;
}

/** Both [member][η, hu, hv][y][x]; no surface is below the bed. */
export type SpeedLimitFields = {
  readonly forecast: 'real';
  /** The analysis; its momentum is changed in place. */
  readonly state: 'real';
};
