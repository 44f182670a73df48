/** The variational analysis inside a hybrid: what it is made of, and that of a background at the end of its window. */
import type { RealField } from '../../compute/backend.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext, QueuedAnalysis } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import { createIncrementalAnalysis, explainVariational } from '../variational/index.ts';
import type { ObservedControl, ObservedControlParts } from '../variational/index.ts';
import type { HybridBackground, HybridParts } from './background.ts';
import type { HybridSettings } from './settings.ts';

/** The variational analysis of a hybrid, and why it is what it is. */
export interface HybridAnalysis extends Pick<Method, 'beginning' | 'explain' | 'whiten'> {
  /** Queues `mean`, the background with its departures computed, ← the analysis. */
  queue(): Promise<QueuedAnalysis>;
  dispose(): void;
}

/** What it is made of, which stays the hybrid's. */
export interface HybridAnalysisParts {
  readonly method: HybridSettings;
  readonly background: HybridBackground;
  /** The members' forecast, [members][variable][y][x], and what they observe, each at its time, [members][capacity]. */
  readonly state: RealField;
  readonly observedEnsemble: RealField;
  /** The background, [variable][y][x], and its departures. */
  readonly mean: RealField;
  readonly departures: Departures;
  /** Where the mean of the members is written: `mean` itself if that is the background. */
  readonly membersMean: RealField;
}

/** How a hybrid sees its control vector, where it is not by H of the increment. */
type ObserveHybrid = (
  context: MethodContext,
  own: ObservedControlParts,
  /** V by its parts, and what the members of its filter observe, each at its time. [members][capacity] */
  background: { readonly parts: HybridParts; readonly observedEnsemble: RealField },
) => Promise<ObservedControl>;

export async function createAnalysisAtEnd(
  context: MethodContext,
  { method, background, state, observedEnsemble, mean, departures, membersMean }: HybridAnalysisParts,
  observe?: ObserveHybrid,
): Promise<HybridAnalysis> {
  const { minimisation } = method;
  const { members } = context;
  const { transform, parts } = background;
  const analysis = await createIncrementalAnalysis(context, {
    method,
    transform,
    departures,
    observe: observe && ((own) => observe(context, own, { parts, observedEnsemble })),
  });
  const explanation = explainVariational(context, {
    transform,
    analysis,
    state,
    members,
    departures,
    minimisation,
    begin(forecast) {
      background.take(forecast, mean);
      return mean;
    },
    backgroundDeviations: (forecast) => background.deviations(forecast),
  });
  return {
    queue() {
      background.take(state, membersMean, mean);
      return analysis.queue(mean);
    },
    whiten: analysis.seen.whitenInto,
    explain: explainWith(explanation.answers),
    dispose: () => analysis.dispose(),
  };
}
