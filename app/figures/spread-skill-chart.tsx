/** Errors of the forecast by bins of the ensemble's spread: whether the members know where they are wrong. */
import { useSignal } from '@preact/signals';
import { spreadSkillPoints } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import { withUnit } from '../fields/fields.ts';
import { TRUTH_STYLE } from '../document/views/method-style.ts';
import { SPREAD_SKILL_HELP, SPREAD_SKILL_NOTE, spreadSkillLine, squareDomain } from './consistency-curves.ts';
import { SampledVariableChoice } from './consistency-choices.tsx';
import type { CountedProps } from './consistency-choices.tsx';
import type { DataTable } from '../format/csv.ts';
import { Figure } from './figure.tsx';
import { legendOf, lineStyleOf } from './method-lines.ts';
import { formatQuantity } from '../format/numbers.ts';
import { methodRows, overlaidLines, shownOverlaid } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { counted, countedRows, unitOf } from '../document/views/series.ts';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

function table(props: CountedProps, overlaid: readonly OverlaidRun[], variable: string): DataTable {
  const unit = unitOf(variable);
  return {
    columns: [
      'method',
      withUnit('spread with the correction for k members', unit),
      withUnit('RMSE', unit),
      'share of the cells',
    ],
    rows: methodRows(props, overlaid).flatMap(({ title, rows }) =>
      spreadSkillPoints(counted(rows, props), variable).map(({ spread, rmse, share }) => [title, spread, rmse, share]),
    ),
  };
}

export function SpreadSkillChart(props: CountedProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const hovered = useSignal<number | undefined>(undefined);
  const { from, to, styles } = props;
  const variable = chartsOf(run).sampledVariable.value;
  const unit = unitOf(variable);
  const lines = styles.flatMap((style): PlotSeries[] => {
    const points = spreadSkillLine(countedRows(props, style), variable);
    const { label } = style;
    return points.length === 0
      ? []
      : [{ key: label, label: style.title, ...lineStyleOf(run, style), points, marked: true, unlabelled: true }];
  });
  const beside = overlaidLines(shownLines(run), (rows) => spreadSkillLine(counted(rows, props), variable)).map(
    (line) => ({
      ...line,
      marked: true,
      unlabelled: true,
    }),
  );
  const drawn = [...lines, ...beside];
  const domain = squareDomain(drawn.map(({ points }) => points));
  const diagonal: PlotSeries = {
    key: '1:1',
    label: '1:1',
    color: TRUTH_STYLE.colour,
    dash: '4 4',
    thin: true,
    guide: true,
    unlabelled: true,
    points: (domain ?? []).map((end) => ({ x: end, y: end })),
  };
  const ends = drawn.map(({ label, points }) => {
    const last = points.at(-1);
    return `${label} ${formatQuantity(last?.y, unit)} where the spread is ${formatQuantity(last?.x, unit)}`;
  });
  return (
    <Figure
      id="spread-skill"
      title={domain ? `Spread and error of ${variable}, cycles ${from} to ${to}` : 'Spread and error'}
      help={SPREAD_SKILL_HELP}
      table={() => table(props, shownOverlaid(shownLines(run)), variable)}
      legend={legendOf(
        laboratory,
        styles.filter(({ label }) => lines.some(({ key }) => key === label)),
        chartsOf(run).overlaid.value,
      )}
      note={SPREAD_SKILL_NOTE}
      empty={
        domain
          ? undefined
          : 'Errors by the spread of the members appear here for methods with an ensemble, after the first cycle.'
      }
      controls={<SampledVariableChoice />}
    >
      <LinePlot
        summary={`RMSE of the forecast of ${variable} by bins of spread. Largest spread: ${ends.join(', ')}.`}
        x={{ label: 'Spread', unit, scale: 'linear', ...(domain && { domain }) }}
        y={{ label: 'RMSE', unit, scale: 'linear', ...(domain && { domain }) }}
        series={[diagonal, ...drawn]}
        pointing={{
          hovered: hovered.value,
          hover: (x) => {
            hovered.value = x;
          },
          // Each method has bins of its own.
          reach: 0,
        }}
        nameOf={(x) => `Spread ${formatQuantity(x, unit)}`}
        heightEm={17}
      />
    </Figure>
  );
}
