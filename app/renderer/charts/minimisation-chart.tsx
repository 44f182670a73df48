/** 3D-Var from inside: cost and residual by iteration of conjugate gradients in one cycle, and the Hessian's condition. */
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { Choice } from './choice.tsx';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { formatNumber } from './numbers.ts';
import { minimisationLines, minimisationWords, overlaidMinimisations } from './overlaid-minimisation.ts';
import type { OverlaidMinimisation } from './overlaid-minimisation.ts';
import type { PlotSeries } from './plot/layout.ts';
import { LinePlot } from './plot/line-plot.tsx';
import type { Pointing } from './plot/line-plot.tsx';
import type { AxisSpec } from './plot/scales.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { useRun } from '../state/context.ts';
import { latestWith } from './series.ts';

type Minimisation = NonNullable<CycleDiagnostics['minimisation']>;

const RESIDUAL = 'residual relative to the first';
const ITERATION_AXIS: AxisSpec = { label: 'Iteration', unit: '', scale: 'linear', whole: true };

const points = (values: readonly number[]) => values.map((y, x) => ({ x, y }));

/** Total and both parts, told apart by their dashes. */
function costLines(report: Minimisation, color: string): PlotSeries[] {
  return [
    { key: 'J', label: 'J', color, dash: '', points: points(report.cost) },
    { key: 'Jb', label: 'Jb', color, dash: '6 3', points: points(report.backgroundCost) },
    { key: 'Jo', label: 'Jo', color, dash: '2 3', points: points(report.observationCost) },
  ];
}

/** Of the run on screen, and cost and residual of overlaid ones. */
function minimisationTable(report: Minimisation | undefined, others: readonly OverlaidMinimisation[]): DataTable {
  const iterations = Math.max(report?.cost.length ?? 0, ...others.map((other) => other.report.cost.length));
  return {
    columns: [
      'iteration',
      'J',
      'Jb',
      'Jo',
      RESIDUAL,
      'Ritz value',
      ...others.flatMap(({ title }) => [`J, ${title}`, `${RESIDUAL}, ${title}`]),
    ],
    rows: Array.from({ length: iterations }, (_, k) => [
      k,
      report?.cost[k] ?? null,
      report?.backgroundCost[k] ?? null,
      report?.observationCost[k] ?? null,
      report?.residual[k] ?? null,
      report?.ritzValues[k] ?? null,
      ...others.flatMap((other) => [other.report.cost[k] ?? null, other.report.residual[k] ?? null]),
    ]),
  };
}

function pointing(hoveredIteration: Signal<number | undefined>): Pointing {
  return {
    hovered: hoveredIteration.value,
    hover: (x) => {
      hoveredIteration.value = x;
    },
  };
}

const nameOf = (x: number): string => `Iteration ${x}`;

export function MinimisationChart({ styles, diagnostics, cycle }: DiagnosticsProps & { readonly cycle: number }) {
  const { minimisedMethod, overlaid } = useRun().charts;
  const hoveredIteration = useSignal<number | undefined>(undefined);
  const candidates = styles.filter(({ label }) =>
    (diagnostics.get(label) ?? []).some(({ minimisation }) => minimisation !== undefined),
  );
  const style = candidates.find(({ label }) => label === minimisedMethod.value) ?? candidates[0];
  const row =
    style && latestWith(diagnostics.get(style.label) ?? [], cycle, ({ minimisation }) => minimisation !== undefined);
  const report = row?.minimisation;
  const others = row && style ? overlaidMinimisations(overlaid.value, style.label, row.cycle) : [];
  return (
    <Figure
      id="minimisation"
      title={row === undefined ? 'Minimisation' : `Minimisation, cycle ${row.cycle}`}
      help="J = Jb + Jo, background and observation terms. The condition number is that of the Hessian, from the Ritz values: the larger, the more iterations."
      table={() => minimisationTable(report, others)}
      empty={
        report === undefined
          ? 'The cost by iteration appears here for a cycle with an analysis by 3D-Var. Add the method under Settings, or show a later cycle.'
          : undefined
      }
      note={
        report && (
          <>
            <b>{report.iterations}</b> iterations, {report.converged ? 'converged' : 'stopped at the most allowed'} ·
            condition number <b>{formatNumber(report.conditionNumber)}</b>
            {others.map((other) => ` · ${minimisationWords(other)}`)}
          </>
        )
      }
      controls={
        <Choice
          label="Method"
          value={style?.label ?? ''}
          options={candidates.map(({ label, title }) => ({ value: label, label: title }))}
          onChange={(label) => {
            minimisedMethod.value = label;
          }}
        />
      }
    >
      {report && style && (
        <>
          <LinePlot
            summary={`J falls from ${formatNumber(report.cost[0])} to ${formatNumber(report.cost.at(-1))} in ${report.iterations} iterations.`}
            x={ITERATION_AXIS}
            y={{ label: 'Cost', unit: '', scale: 'log' }}
            series={[
              ...costLines(report, style.colour),
              ...minimisationLines(others, { key: 'J', label: 'J' }, style.colour, ({ cost }) => cost),
            ]}
            pointing={pointing(hoveredIteration)}
            nameOf={nameOf}
            heightEm={13}
          />
          <LinePlot
            summary={`The residual falls to ${formatNumber(report.residual.at(-1))} of the first one.`}
            x={ITERATION_AXIS}
            y={{ label: '‖r‖ / ‖r₀‖', unit: '', scale: 'log' }}
            series={[
              {
                key: 'residual',
                label: 'r',
                color: style.colour,
                dash: '',
                points: points(report.residual),
              },
              ...minimisationLines(others, { key: 'residual', label: 'r' }, style.colour, ({ residual }) => residual),
            ]}
            pointing={pointing(hoveredIteration)}
            nameOf={nameOf}
            heightEm={11.5}
          />
          <RitzValues report={report} />
        </>
      )}
    </Figure>
  );
}

function RitzValues({ report }: { readonly report: Minimisation }) {
  const { ritzValues } = report;
  if (ritzValues.length === 0) return null;
  const [low, high] = [ritzValues[0], ritzValues[ritzValues.length - 1]];
  return (
    <p class="figure-note">
      Ritz values {formatNumber(low)} to {formatNumber(high)}; those of a perfect preconditioner are all 1.
    </p>
  );
}
