/** Two minimisations of one cycle: as the run carried it out, and the same without preconditioning, on the same axes. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { MinimisationCourse, MinimisationExplanation } from '../../../engine/index.ts';
import { COURSES } from './shown-increment.ts';
import { useRun } from '../../document/context.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import {
  costAxis,
  costLines,
  iterationAxis,
  iterationName,
  PLAIN_COLOUR,
  points,
  ritzAxis,
  ritzLines,
} from '../../figures/minimisation-lines.ts';
import { formatColumn, formatNumber } from '../../format/numbers.ts';
import { LinePlot } from '../../plot/line-plot.tsx';
import type { Pointing } from '../../plot/line-plot.tsx';
import { insideOf } from './inside.ts';

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

export function InsideCharts({ explanation, style }: InsideProps) {
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
