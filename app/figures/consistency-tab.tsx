/** The consistency of each method: its figures with what is good, and the curves behind them. */
import type { BasinInfo, Scenario } from '../../engine/index.ts';
import { Successive } from '../controls/successive.tsx';
import { useRun } from '../document/context.ts';
import { BALANCE_CHARTS, CONTENT_CHARTS } from './budget-charts.ts';
import { BudgetFigure } from './budget-figure.tsx';
import type { CountedProps } from './consistency-choices.tsx';
import { ConsistencyFigures } from './consistency-figures.tsx';
import { OctaveChart } from './octave-chart.tsx';
import { overlaidSpans } from '../document/lines/overlaid.ts';
import { RankHistogram } from './rank-histogram.tsx';
import { ScoreChart } from './score-chart.tsx';
import { SpreadSkillChart } from './spread-skill-chart.tsx';
import { chartsOf } from './chart-state.ts';

interface ConsistencyTabProps extends CountedProps {
  readonly scenario: Scenario | undefined;
  readonly basin: BasinInfo | undefined;
}

export function ConsistencyTab({ scenario, basin, ...given }: ConsistencyTabProps) {
  const { sampledVariable, overlaid, overlaidNote } = chartsOf(useRun());
  const spans = overlaidSpans(overlaid.value, given.from, given.to);
  const words = [overlaidNote.value, spans].filter(Boolean).join(' ');
  const { styles, diagnostics } = given;
  const hasWater = basin !== undefined && basin.isRing !== true;
  return (
    <>
      {words && <p class="overlaid-note">{words}</p>}
      <Successive>
        <ConsistencyFigures styles={styles} diagnostics={diagnostics} scenario={scenario} />
        <SpreadSkillChart {...given} />
        <RankHistogram {...given} variable={sampledVariable.value} />
        <ScoreChart styles={styles} diagnostics={diagnostics} />
        {basin && <OctaveChart {...given} basin={basin} />}
        {hasWater && (
          <BudgetFigure
            id="budgets"
            title="Budgets"
            styles={styles}
            diagnostics={diagnostics}
            charts={CONTENT_CHARTS}
          />
        )}
        {hasWater && (
          <BudgetFigure
            id="imbalance"
            title="Imbalance"
            styles={styles}
            diagnostics={diagnostics}
            charts={BALANCE_CHARTS}
          />
        )}
      </Successive>
    </>
  );
}
