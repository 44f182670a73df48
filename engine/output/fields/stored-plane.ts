/** What can be asked of the stored states of a run, whichever form they have. */
import type { SnapshotObservations } from '../../run/index.ts';
import type { RunRecord } from '../run-record.ts';
import type { StateName } from './snapshot-layout.ts';

/** What is asked for as the truth, which has neither forecast nor spread. */
export const TRUTH = 'truth';

/** A plane of a cycle. */
export interface StoredPlane {
  readonly cycle: number;
  /** `TRUTH`, or a method's label. */
  readonly of: string;
  /** η, m above the water at rest; momenta hu and hv, m²/s. */
  readonly variable: StateName;
  /**
   * The mean of the members before or after the analysis, which is what is meant if omitted, or their standard deviation
   * there, which is kept of η alone. Means nothing for the truth.
   */
  readonly when?: 'forecast' | 'analysis' | 'forecast-spread' | 'analysis-spread';
  /** One member after the analysis, from 0, in place of their mean. */
  readonly member?: number;
}

export interface FieldsReader {
  /** Whose states are stored, ascending; of a run that is under way as far as it had come when this was opened. */
  readonly cycles: readonly number[];
  /** When those cycles ended, s since the start of the experiment; as many. */
  readonly timesSeconds: readonly number[];
  /** Labels of the methods. */
  readonly methods: readonly string[];
  readonly grid: RunRecord['scenario']['grid'];
  readonly variables: readonly StateName[];
  /** Members that are stored beside the means, from 0; of methods that have as many. */
  readonly members: readonly number[];
  /**
   * @returns [y][x]; undefined where the run has no such plane: of a method that had diverged or has one state, or a member that
   *   was not kept
   * @throws RangeError for a cycle or a method that is not stored; ScenarioError, CaseError where the file is broken
   */
  readPlane(plane: StoredPlane): Promise<Float32Array | undefined>;
  /** Places in grid units. @throws RangeError for a cycle that is not stored; ScenarioError, CaseError where the file is broken */
  observationsAt(cycle: number): Promise<SnapshotObservations>;
  dispose(): void;
}

/** What the two forms of the file have in common. */
export type FieldsSource = Pick<
  FieldsReader,
  'cycles' | 'timesSeconds' | 'methods' | 'members' | 'readPlane' | 'observationsAt' | 'dispose'
>;
