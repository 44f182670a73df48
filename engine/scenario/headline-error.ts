/**
 * Which error of a scenario comes first: all of it, or that of the pattern. Water that falls into the truth alone raises its mean
 * level; a method that finds the level alone would be credited with most of the error, and with nothing of the waves.
 */
import { forcingDefinition } from '../forcing/index.ts';
import type { Scenario } from './schema.ts';

/** The whole RMSE, or its part about the basin's mean error. */
export type HeadlineError = 'total' | 'pattern';

/** @returns `pattern` if forcing or interventions change the volume of the truth's water without that of the members */
export function headlineError({ truth: { forcing }, interventions }: Scenario): HeadlineError {
  const { events } = forcingDefinition(forcing.kind);
  const falls = events !== undefined && events.seenBy(forcing) !== 'all' && events.addsVolume(forcing);
  const isDropped = interventions.some(
    (each) => each.kind === 'drop' && each.seenBy !== 'all' && each.volume === 'added',
  );
  return falls || isDropped ? 'pattern' : 'total';
}
