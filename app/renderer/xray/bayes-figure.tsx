/** One number at a time: what each method expects of an observation, what it is told, what it believes then; and what if it read otherwise. */
import { useRef, useState } from 'preact/hooks';
import { describeObservation, describeTrust } from '../../../engine/index.ts';
import type { ObservationExplanation } from '../../../engine/index.ts';
import { Figure } from '../charts/figure.tsx';
import type { DataTable } from '../charts/csv.ts';
import { formatColumn, formatMeasured, formatQuantity } from '../charts/numbers.ts';
import { axisTitle } from '../charts/plot/axes.tsx';
import { useSize } from '../charts/plot/use-size.ts';
import { useRun } from '../state/context.ts';
import type { MethodStyle } from '../state/method-style.ts';
import { bayesDomain, curvePath, gaussianOf, highestOf, layoutBayes } from './bayes-layout.ts';
import type { BayesLayout, BayesRow, Gaussian } from './bayes-layout.ts';
import { LikelihoodHandles } from './likelihood-handles.tsx';
import { takenToRead } from './likelihood.ts';
import type { Reading } from './likelihood.ts';

/** What a method says of the observation. */
interface Told {
  readonly style: MethodStyle;
  readonly explanation: ObservationExplanation;
}

const EMPTY =
  'What each method expects of an observation, what it is told, and what it believes then appear here: click an observation’s stem, press Shift+X at the crosshair, or give its number above.';

const HELP =
  'Over one axis: prior (dashed, its members as ticks above the line), likelihood of the reading (thin), posterior by this observation alone (filled, its members below the line). Curves of one row are comparable in height. Drag the likelihood, or move it by the arrow keys: what if it had read that?';

function tableOf(told: readonly Told[]): DataTable {
  const unit = told[0]?.explanation.unit ?? '';
  return {
    columns: [
      'method',
      `prior mean (${unit})`,
      `prior σ (${unit})`,
      `observed (${unit})`,
      `σₒ (${unit})`,
      'innovation (σ)',
      `posterior mean, alone (${unit})`,
      `posterior σ, alone (${unit})`,
      'gain, alone',
      `posterior mean, all (${unit})`,
      `posterior σ, all (${unit})`,
      'gain, all',
    ],
    rows: told.map(({ style, explanation: { prior, observation, normalisedInnovation, alone, together } }) => [
      style.title,
      prior.mean,
      prior.deviation ?? null,
      observation.value,
      observation.errorStd,
      normalisedInnovation ?? null,
      alone.mean,
      alone.deviation ?? null,
      alone.gain ?? null,
      together.mean,
      together.deviation ?? null,
      together.gain ?? null,
    ]),
  };
}

/** A mean with its error in two digits, `0.972 ± 0.0070`; powers of ten where those would be long. */
function meanText({ mean, deviation }: { readonly mean: number; readonly deviation: number | undefined }): string {
  if (deviation === undefined || !(deviation > 0)) return formatMeasured(mean);
  const decimals = 1 - Math.floor(Math.log10(deviation));
  if (decimals < 0 || decimals > 6) return `${formatMeasured(mean)} ± ${formatMeasured(deviation)}`;
  return `${mean.toFixed(decimals).replace('-', '−')} ± ${deviation.toFixed(decimals)}`;
}

/** A number of standard deviations. */
function sigmas(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(1).replace('-', '−');
}

function Ticks(properties: {
  readonly values: Float64Array;
  readonly layout: BayesLayout;
  readonly from: number;
  readonly to: number;
  readonly colour: string;
}) {
  const { values, layout, from, to, colour } = properties;
  const path = Array.from(values, (value) => `M${layout.x.at(value).toFixed(1)} ${from}V${to}`).join('');
  return <path class="bayes-ticks" d={path} stroke={colour} />;
}

function MethodRow({
  told: { style, explanation },
  layout,
  row,
  likelihood,
  em,
  isAsRead,
}: {
  readonly told: Told;
  readonly layout: BayesLayout;
  readonly row: BayesRow;
  readonly likelihood: Gaussian;
  readonly em: number;
  readonly isAsRead: boolean;
}) {
  const { prior, alone, together, isUsed } = explanation;
  const [before, after] = [gaussianOf(prior), gaussianOf(alone)];
  const most = highestOf([before, after, likelihood]);
  const { baseline } = row;
  const all = layout.x.at(together.mean);
  return (
    <g>
      <text class="chart-label" x={layout.left} y={baseline - row.height - 0.45 * em} fill={style.colour}>
        {style.title}
        {!isUsed && <tspan class="bayes-rejected"> rejects it</tspan>}
      </text>
      <path class="bayes-likelihood" d={curvePath(likelihood, layout, row, most)} />
      {after && (
        <path
          class="bayes-posterior"
          d={curvePath(after, layout, row, most)}
          fill={style.colour}
          stroke={style.colour}
        />
      )}
      {before && <path class="bayes-prior" d={curvePath(before, layout, row, most)} stroke={style.colour} />}
      {!after && (
        <line
          class="bayes-mean"
          x1={layout.x.at(alone.mean)}
          x2={layout.x.at(alone.mean)}
          y1={baseline}
          y2={baseline - row.height}
          stroke={style.colour}
        />
      )}
      <Ticks
        values={prior.members}
        layout={layout}
        from={baseline - 0.55 * em}
        to={baseline - 1}
        colour={style.colour}
      />
      <Ticks
        values={alone.members}
        layout={layout}
        from={baseline + 2}
        to={baseline + 0.65 * em}
        colour={style.colour}
      />
      <line class="chart-axis" x1={layout.left} x2={layout.right} y1={baseline} y2={baseline} />
      {isAsRead && (
        <path class="bayes-together" d={`M${all.toFixed(1)} ${baseline}l-4 7h8z`} stroke={style.colour}>
          <title>{`With all observations of the cycle: ${meanText(together)}`}</title>
        </path>
      )}
    </g>
  );
}

function Numbers({ told }: { readonly told: readonly Told[] }) {
  const unit = told[0].explanation.unit;
  const gains = formatColumn(told.map(({ explanation }) => explanation.alone.gain));
  return (
    <div class="results-scroll">
      <table class="results">
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col" title="The method’s forecast of what is observed, mean ± σ">{`prior (${unit})`}</th>
            <th scope="col" title="After the analysis of this observation alone, mean ± σ">{`posterior (${unit})`}</th>
            <th scope="col" title="Share of the innovation that the mean takes over, by this observation alone">
              gain
            </th>
            <th scope="col" title="Observed minus expected, over √(σ² + σₒ²)">
              d (σ)
            </th>
          </tr>
        </thead>
        <tbody>
          {told.map(({ style, explanation }, row) => (
            <tr key={style.label}>
              <th scope="row">
                <i class="swatch" style={{ background: style.colour }} />
                {style.title}
              </th>
              <td>{meanText(explanation.prior)}</td>
              <td>{meanText(explanation.alone)}</td>
              <td>{gains[row]}</td>
              <td>{sigmas(explanation.normalisedInnovation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ChartProperties {
  readonly told: readonly Told[];
  readonly reading: Reading;
  /** As the observation was. */
  readonly own: Reading;
  readonly isAsRead: boolean;
  readonly onRead: (reading: Partial<Reading>) => void;
}

function BayesChart({ told, reading, own, isAsRead, onRead }: ChartProperties) {
  const [area, { width, em }] = useSize();
  const likelihood = { mean: reading.value, deviation: reading.errorStd };
  const { unit, observation } = told[0].explanation;
  const domain = bayesDomain(
    told.map(({ explanation }) => explanation),
    likelihood,
  );
  // While a hand holds the likelihood, the axis under it stays.
  const held = useRef<readonly [number, number] | undefined>(undefined);
  const [isHeld, setHeld] = useState(false);
  if (!isHeld) held.current = domain;
  const axis = { label: observation.variable, unit };
  const layout = width > 0 ? layoutBayes({ width, em, methods: told.length }, held.current ?? domain, axis) : undefined;
  const at = layout?.x.at(reading.value) ?? 0;
  return (
    <div class="chart-area" ref={area} style={{ height: `${layout?.height ?? 0}px` }}>
      {layout && (
        <>
          <svg
            class="chart bayes"
            role="img"
            aria-label={`Prior, likelihood and posterior of observation ${observation.index ?? ''} for ${told.map(({ style }) => style.title).join(', ')}, over ${axisTitle(axis)}.`}
            width={layout.width}
            height={layout.height}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
          >
            <path class="bayes-told" d={curvePath(likelihood, layout, layout.top, highestOf([likelihood]))} />
            <line
              class="bayes-reading"
              x1={at}
              x2={at}
              y1={layout.top.baseline - layout.top.height}
              y2={layout.bottom}
            />
            <line
              class="chart-axis"
              x1={layout.left}
              x2={layout.right}
              y1={layout.top.baseline}
              y2={layout.top.baseline}
            />
            <text class="chart-label bayes-told-label" x={layout.left} y={0.9 * em}>
              Observation {meanText({ mean: reading.value, deviation: reading.errorStd })} {unit}
            </text>
            {told.map((each, n) => (
              <MethodRow
                key={each.style.label}
                told={each}
                layout={layout}
                row={layout.rows[n]}
                likelihood={likelihood}
                em={em}
                isAsRead={isAsRead}
              />
            ))}
            <line class="chart-axis" x1={layout.left} x2={layout.right} y1={layout.bottom} y2={layout.bottom} />
            {layout.x.ticks.map(({ value, text }) => (
              <g key={value}>
                <line
                  class="chart-axis"
                  x1={layout.x.at(value)}
                  x2={layout.x.at(value)}
                  y1={layout.bottom}
                  y2={layout.bottom + 4}
                />
                <text class="chart-tick" x={layout.x.at(value)} y={layout.bottom + 4 + 0.95 * em} text-anchor="middle">
                  {text}
                </text>
              </g>
            ))}
            <text
              class="chart-axis-title"
              x={(layout.left + layout.right) / 2}
              y={layout.bottom + 4 + 2.15 * em}
              text-anchor="middle"
            >
              {axisTitle(axis)}
            </text>
          </svg>
          <LikelihoodHandles layout={layout} reading={reading} own={own} unit={unit} onRead={onRead} onHold={setHeld} />
        </>
      )}
    </div>
  );
}

/** The numbers that the likelihood is dragged to, to be typed; and the way back. */
function WhatIf({
  reading,
  own,
  isAsRead,
  onRead,
  onReset,
  unit,
}: Omit<ChartProperties, 'told'> & { readonly onReset: () => void; readonly unit: string }) {
  return (
    <form class="pin-form" onSubmit={(event) => event.preventDefault()}>
      <label>
        read
        <input
          type="number"
          step="any"
          value={Number(reading.value.toPrecision(4))}
          onChange={({ currentTarget: { valueAsNumber } }) => {
            if (Number.isFinite(valueAsNumber)) onRead({ value: valueAsNumber });
          }}
        />
        {unit}
      </label>
      <label>
        σₒ
        <input
          type="number"
          step="any"
          min={0.01 * own.errorStd}
          value={Number(reading.errorStd.toPrecision(4))}
          onChange={({ currentTarget: { valueAsNumber } }) => {
            if (valueAsNumber > 0) onRead({ errorStd: valueAsNumber });
          }}
        />
        {unit}
      </label>
      <button type="button" class="button" disabled={isAsRead} onClick={onReset}>
        As it was
      </button>
    </form>
  );
}

export function BayesFigure({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { answers, subject, choose, methods } = useRun().xray;
  const [about, of] = [subject.value, answers.value];
  const told = styles.flatMap((style): Told[] => {
    const explanation = of?.byMethod.get(style.label)?.observation;
    return explanation ? [{ style, explanation }] : [];
  });
  const own = useOwnReading();
  const first = told.at(0)?.explanation;
  if (about?.kind !== 'observation' || !first || !own) {
    return <Figure id="bayes" title="One observation" help={HELP} table={() => tableOf([])} empty={EMPTY} />;
  }
  const reading = { value: about.value ?? own.value, errorStd: about.errorStd ?? own.errorStd };
  const isAsRead = about.value === undefined && about.errorStd === undefined;
  const onRead = (next: Partial<Reading>): void => choose(takenToRead(about, next));
  const spoken = methods.value;
  const trust = describeTrust(
    told.map(({ style: { label, kind }, explanation }) => ({ label, kind, deviation: explanation.prior.deviation })),
  );
  return (
    <Figure
      id="bayes"
      title={`Observation ${about.index}, cycle ${of?.cycle ?? ''}`}
      help={HELP}
      table={() => tableOf(told)}
      note={
        <>
          <b>{formatQuantity(own.value, first.unit)}</b> of {first.observation.variable}, σₒ{' '}
          <b>{formatQuantity(own.errorStd, first.unit)}</b>
          {!isAsRead && <strong> · taken to read otherwise</strong>}
        </>
      }
    >
      <BayesChart told={told} reading={reading} own={own} isAsRead={isAsRead} onRead={onRead} />
      <WhatIf
        reading={reading}
        own={own}
        isAsRead={isAsRead}
        onRead={onRead}
        onReset={() => choose(takenToRead(about, {}))}
        unit={first.unit}
      />
      <Numbers told={told} />
      <ul class="xray-words">
        {[...trust, ...told.map(({ style, explanation }) => describeObservation(style, spoken, explanation))].map(
          (sentence) => (
            <li key={sentence}>{sentence}</li>
          ),
        )}
      </ul>
    </Figure>
  );
}

/** What the observation has read, and its error, whatever it is taken to have read. */
function useOwnReading(): Reading | undefined {
  const {
    session: { history },
    xray: { answers, subject },
  } = useRun();
  const [about, of] = [subject.value, answers.value];
  if (about?.kind !== 'observation') return undefined;
  const observations = history.value.snapshots.find(({ cycle }) => cycle === of?.cycle)?.observations;
  const inverse = observations?.inverseErrorStd[about.index] ?? 0;
  const value = observations?.values[about.index];
  return value !== undefined && inverse > 0 ? { value, errorStd: 1 / inverse } : undefined;
}
