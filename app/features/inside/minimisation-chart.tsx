/** A minimisation from inside: cost and residual by iteration of conjugate gradients in one cycle, and the Hessian's condition. */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useRun } from '../../document/context.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { Choice } from '../../controls/buttons.tsx';
import { Figure } from '../../figures/figure.tsx';
import { InsideControls } from './inside-controls.tsx';
import {
  costLines,
  insideTable,
  ITERATION_AXIS,
  iterationName,
  minimisationTable,
  points,
  costAxis,
  iterationAxis,
  PLAIN_COLOUR,
  ritzAxis,
  ritzLines,
  minimisationLines,
  minimisationWords,
  overlaidMinimisations,
} from '../../figures/minimisation-lines.ts';
import type { MinimisationRow, OverlaidMinimisation } from '../../figures/minimisation-lines.ts';
import { formatNumber, formatColumn } from '../../format/numbers.ts';
import { LinePlot } from '../../plot/line-plot.tsx';
import type { Pointing } from '../../plot/plot-overlay.tsx';
import type { FigureRun } from '../../figures/figure-data.ts';
import { latestWith } from '../../document/views/series.ts';
import { chartsOf } from '../../figures/chart-state.ts';
import { insideOf, COURSES } from './inside.ts';
import type { MinimisationCourse, MinimisationExplanation } from '../../../engine/index.ts';

interface InsideProps {
  readonly explanation: MinimisationExplanation;
  readonly style: MethodStyle;
}

/** `from 38.2 to 4.1 in 12 iterations` */
function fallOf({ cost, iterations }: MinimisationCourse): string {
  return `from ${formatNumber(cost[0])} to ${formatNumber(cost[iterations])} in ${iterations} iterations`;
}

function spectrumOf({ ritzValues }: MinimisationCourse): string {
  const values = ritzValues.at(-1);
  if (!values || values.length === 0) return 'There are no Ritz values.';
  return `Ritz values from ${formatNumber(values[0])} to ${formatNumber(values[values.length - 1])}.`;
}

/** Two minimisations of one cycle: as the run carried it out, and the same without preconditioning, on the same axes. */
function InsideCharts({ explanation, style }: InsideProps) {
  const inside = insideOf(useRun());
  const hovered = useSignal<number | undefined>(undefined);
  const { preconditioned, plain } = explanation;
  const { x, cost, ritz } = useMemo(() => {
    return {
      x: iterationAxis([preconditioned.iterations, plain.iterations]),
      cost: {
        preconditioned: costLines(preconditioned, style.colour),
        plain: costLines(plain, PLAIN_COLOUR),
        axis: costAxis(explanation),
      },
      ritz: {
        preconditioned: ritzLines(preconditioned, style.colour),
        plain: ritzLines(plain, PLAIN_COLOUR),
        axis: ritzAxis(explanation),
      },
    };
  }, [explanation, preconditioned, plain, style.colour]);
  const pointing: Pointing = {
    hovered: hovered.value,
    hover: (at) => {
      hovered.value = at;
    },
    selected: inside.iteration.value,
    select: (at) => {
      inside.pause();
      inside.show(at);
    },
  };
  const shared = { x, pointing, nameOf: iterationName, heightEm: 12 };
  return (
    <>
      <Numbers explanation={explanation} />
      <div class="inside-pair">
        <LinePlot
          {...shared}
          summary={`J falls ${fallOf(preconditioned)}.`}
          y={cost.axis('Cost, preconditioned')}
          series={cost.preconditioned}
        />
        <LinePlot
          {...shared}
          summary={`Without preconditioning J falls ${fallOf(plain)}.`}
          y={cost.axis('Cost, unpreconditioned')}
          series={cost.plain}
        />
      </div>
      <LinePlot
        {...shared}
        summary={`The residual falls to ${formatNumber(preconditioned.residual.at(-1))} of the first one, without preconditioning to ${formatNumber(plain.residual.at(-1))}.`}
        y={{ label: '‖∇J‖ / ‖∇J₀‖', unit: '', scale: 'log' }}
        series={[
          { key: 'with', label: 'with', color: style.colour, dash: '', points: points(preconditioned.residual) },
          { key: 'without', label: 'without', color: PLAIN_COLOUR, dash: '6 3', points: points(plain.residual) },
        ]}
        references={[{ y: explanation.tolerance, label: 'tolerance' }]}
      />
      <div class="inside-pair">
        <LinePlot
          {...shared}
          summary={spectrumOf(preconditioned)}
          y={ritz.axis('Ritz values, preconditioned')}
          series={ritz.preconditioned}
        />
        <LinePlot
          {...shared}
          summary={`Without preconditioning: ${spectrumOf(plain)}`}
          y={ritz.axis('Ritz values, unpreconditioned')}
          series={ritz.plain}
        />
      </div>
    </>
  );
}

const COLUMNS = ['J', 'Jb', 'Jo', '‖∇J‖ / ‖∇J₀‖'] as const;

/** Both minimisations at the iteration on the stage; one that has ended earlier, at its end. */
function Numbers({ explanation }: Pick<InsideProps, 'explanation'>) {
  const iteration = insideOf(useRun()).iteration.value;
  const rows = COURSES.map(({ value, label }) => {
    const { cost, backgroundCost, observationCost, residual, iterations } = explanation[value];
    const k = Math.min(iteration, iterations);
    // If there is little room it breaks before its stem.
    const words = label.replace('conditioned', '\u00adconditioned');
    return { label: words, k, values: [cost[k], backgroundCost[k], observationCost[k], residual[k]] };
  });
  const texts = COLUMNS.map((_, column) => formatColumn(rows.map(({ values }) => values[column])));
  return (
    <table class="results inside-numbers">
      <thead>
        <tr>
          <th scope="col">Iteration {iteration}</th>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, k }, row) => (
          <tr key={label}>
            <th scope="row">{k === iteration ? label : `${label}, ended at ${k}`}</th>
            {COLUMNS.map((name, column) => (
              <td key={name}>{texts[column][row]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const HELP =
  'J = Jb + Jo, background and observation terms. The condition number is that of the Hessian, from the Ritz values: the larger, the more iterations.';
const INSIDE_HELP =
  'Without preconditioning the same J is minimised in ζ, δx = Bζ: what is small in B takes many iterations. Ritz values approximate the eigenvalues of the Hessian from inside, the outermost first.';

function pointing(hoveredIteration: Signal<number | undefined>): Pointing {
  return {
    hovered: hoveredIteration.value,
    hover: (x) => {
      hoveredIteration.value = x;
    },
  };
}

type MinimisationProps = Pick<FigureRun, 'styles' | 'diagnostics'> & { readonly cycle: number };

export function MinimisationChart({ styles, diagnostics, cycle }: MinimisationProps) {
  const { minimisedMethod, overlaid } = chartsOf(useRun());
  const inside = insideOf(useRun());
  // Who leaves this part of the evidence has the fields back.
  useEffect(() => () => inside.close(), [inside]);
  const candidates = styles.filter(({ label }) =>
    (diagnostics.get(label) ?? []).some(({ minimisation }) => minimisation !== undefined),
  );
  const style = candidates.find(({ label }) => label === minimisedMethod.value) ?? candidates[0];
  const row =
    style && latestWith(diagnostics.get(style.label) ?? [], cycle, ({ minimisation }) => minimisation !== undefined);
  const report = row?.minimisation;
  const { value: looked } = inside.state;
  const label = style?.label;
  useEffect(() => {
    // Of a method that is not looked at any more.
    if (looked.kind !== 'closed' && looked.method !== label) inside.close();
  }, [inside, looked, label]);
  const opened = looked.kind === 'open' && looked.method === label ? looked : undefined;
  const others = row && style ? overlaidMinimisations(overlaid.value, style.label, row.cycle) : [];
  return (
    <Figure
      id="minimisation"
      title={row === undefined ? 'Minimisation' : `Minimisation, cycle ${row.cycle}`}
      help={opened ? INSIDE_HELP : HELP}
      table={() => (opened ? insideTable(opened.explanation) : minimisationTable(report, others))}
      empty={
        report === undefined
          ? 'The cost by iteration appears here for a cycle with an analysis by 3D-Var, 4D-Var, 4DEnVar or a hybrid. Add one of them under Settings, or show a later cycle.'
          : undefined
      }
      note={
        report && (
          <>
            <b>{report.iterations}</b> iterations, {report.converged ? 'converged' : 'stopped at the most allowed'} ·
            condition number <b>{formatNumber(report.conditionNumber)}</b>
            {report.outerLoops &&
              ` · J after each outer loop ${report.outerLoops.map(({ cost }) => formatNumber(cost)).join(', ')}`}
            {others.map((other) => ` · ${minimisationWords(other)}`)}
          </>
        )
      }
      controls={
        <Choice
          label="Method"
          value={label ?? ''}
          options={candidates.map(({ label, title }) => ({ value: label, label: title }))}
          onChange={(label) => {
            inside.close();
            minimisedMethod.value = label;
          }}
        />
      }
    >
      {report && style && (
        <>
          <InsideControls method={style.label} iterations={report.iterations} minimised={row.cycle} shown={cycle} />
          {opened ? (
            <InsideCharts explanation={opened.explanation} style={style} />
          ) : (
            <ReportCharts report={report} others={others} style={style} />
          )}
        </>
      )}
    </Figure>
  );
}

/** What a run reports of every minimisation. */
function ReportCharts({
  report,
  others,
  style,
}: {
  readonly report: MinimisationRow;
  readonly others: readonly OverlaidMinimisation[];
  readonly style: MethodStyle;
}) {
  const hoveredIteration = useSignal<number | undefined>(undefined);
  return (
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
        nameOf={iterationName}
        heightEm={13}
      />
      <LinePlot
        summary={`The residual falls to ${formatNumber(report.residual.at(-1))} of the first one.`}
        x={ITERATION_AXIS}
        y={{ label: '‖r‖ / ‖r₀‖', unit: '', scale: 'log' }}
        series={[
          { key: 'residual', label: 'r', color: style.colour, dash: '', points: points(report.residual) },
          ...minimisationLines(others, { key: 'residual', label: 'r' }, style.colour, ({ residual }) => residual),
        ]}
        pointing={pointing(hoveredIteration)}
        nameOf={iterationName}
        heightEm={11.5}
      />
      <RitzValues report={report} />
    </>
  );
}

function RitzValues({ report }: { readonly report: MinimisationRow }) {
  const { ritzValues } = report;
  if (ritzValues.length === 0) return null;
  const [low, high] = [ritzValues[0], ritzValues[ritzValues.length - 1]];
  return (
    <p class="figure-note">
      Ritz values {formatNumber(low)} to {formatNumber(high)}; those of a perfect preconditioner are all 1.
    </p>
  );
}
