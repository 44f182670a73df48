/** What a variational analysis is made of, and what answers about it are made of in turn. */
import type { RealField } from '../../compute/backend.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { Departures } from '../shared/departures.ts';
import type { IncrementalAnalysis } from './incremental-analysis.ts';

/** They stay their owner's. */
export interface VariationalParts {
  readonly transform: ControlTransform;
  readonly analysis: IncrementalAnalysis;
  /** The analysis, [members][variable][y][x]. */
  readonly state: RealField;
  readonly members: number;
  readonly departures: Departures;
  readonly minimisation: { readonly tolerance: number };
  /** Queues what `transform` knows of a forecast, as its analysis has it. @returns the background, [variable][y][x] */
  readonly begin: (forecast: RealField) => RealField;
  /** √diag B at a forecast, [variable][y][x]. */
  readonly backgroundDeviations: (forecast: RealField) => Promise<Float64Array>;
}
