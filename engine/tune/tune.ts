/** A tuning from its plan to its result: searches, judges, and looks once more at the best setting for its consistency. */
import type { Backend } from '../compute/backend.ts';
import { AllDivergedError, DivergenceError } from '../errors.ts';
import { createExperiment } from '../experiment/index.ts';
import type { CycleDiagnostics } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { comparedVariables, readScenarioFiles, validateScenario } from '../scenario/index.ts';
import { fileReader } from '../run/index.ts';
import { median } from '../statistics/index.ts';
import { summaryTerms } from '../output/summary.ts';
import type { RunCasesOptions } from '../sweep/index.ts';
import { consistencyOverSeeds } from './consistency.ts';
import type { Consistency } from './consistency.ts';
import { warnsOf, withPoint } from './plan.ts';
import type { TuningPlan } from './plan.ts';
import { judge } from './result.ts';
import type { TuningResult } from './result.ts';
import { search } from './search.ts';
import type { Evaluate, Point, TriedPoint } from './search.ts';

export interface TuningWork {
  readonly evaluate: Evaluate;
  /** Runs a point once more, over all seeds, for its consistency; omitted where nobody asks for it. */
  readonly look?: (values: Point) => Promise<Consistency>;
  /** Called with each batch of points that is done. */
  readonly onPoints?: (points: readonly TriedPoint[]) => void;
}

export async function tuneMethod(plan: TuningPlan, { evaluate, look, onPoints }: TuningWork): Promise<TuningResult> {
  const { name, method, parameters, measure, seeds, levels, extensions } = plan;
  const terms = { parameters, goal: measure.best, levels, extensions, isWarned: warnsOf(plan), median };
  const points = await search(terms, evaluate, onPoints);
  const found = judge(parameters, measure, points);
  const consistency = found && (await look?.(found.best.values));
  return { name, method, parameters, measure, seeds, points, found, consistency };
}

/** Looks at a point: runs it over the plan's seeds on a backend. */
export async function lookAt(
  backend: Backend,
  { raw, parameters, method, seeds }: TuningPlan,
  values: Point,
  {
    files = {},
    openHdf5,
    yieldToEventLoop,
    signal,
  }: Pick<RunCasesOptions, 'files' | 'openHdf5' | 'yieldToEventLoop' | 'signal'> = {},
): Promise<Consistency> {
  const changed = withPoint(raw, parameters, values);
  const rows: CycleDiagnostics[] = [];
  const { scenario } = validateScenario(changed, 'tuning');
  const contents = await readScenarioFiles(scenario, fileReader(files), scenario.name, openHdf5);
  const { spinup, cycles } = summaryTerms(scenario);
  const first = spinup < cycles ? spinup : 0;
  for (const seed of seeds) {
    try {
      const experiment = await createExperiment(
        backend,
        { ...scenario, seed },
        {
          files: contents,
          methods: [method],
          listener: (event) => {
            if (event.type === 'diagnostics' && event.diagnostics.cycle >= first) rows.push(event.diagnostics);
          },
          signal,
        },
      );
      try {
        while (experiment.nextCycle < experiment.cycles) {
          await yieldToEventLoop?.();
          signal?.throwIfAborted();
          await experiment.step();
        }
      } finally {
        experiment.dispose();
      }
    } catch (error) {
      if (!(error instanceof DivergenceError || error instanceof AllDivergedError)) throw error;
    }
  }
  const kind = scenario.methods.find(({ label }) => label === method)?.kind ?? '';
  return consistencyOverSeeds(rows, comparedVariables(scenario), methodDefinition(kind).carries === 'ensemble');
}
