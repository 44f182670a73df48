/** One number at a time: what each method expects of an observation, the reading, and the posterior; and what if it had read something else. */
import { describeObservation, describeTrust, type ObservationExplanation } from '../../../engine/index.ts';
import type { DataTable } from '../../format/tables.ts';
import { Figure } from '../../figures/figure.tsx';
import { useRun } from '../../document/context.ts';
import { withUnit } from '../../fields/fields.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { BayesChart, type ChartProperties, type Told } from './bayes-chart.tsx';
import { takenToRead, type Reading } from './bayes-layout.ts';
import { keptTogether, meanText } from './answers.ts';
import { xrayOf } from './xray-state.ts';

const EMPTY =
  'Prior, likelihood and posterior of an observation appear here. Click an observation’s stem, press Shift+X at the crosshair, or give its number above.';

const HELP =
  'Over one axis: prior (dashed, its members as ticks above the line), likelihood of the reading (thin), posterior by this observation alone (filled, its members below the line). Curves of one row are comparable in height. Drag the likelihood, or move it by the arrow keys: what if it had read that?';

function tableOf(told: readonly Told[]): DataTable {
  const unit = told[0]?.explanation.unit ?? '';
  return {
    columns: [
      'method',
      ...['prior mean', 'prior σ', 'observed', 'σₒ'].map((label) => withUnit(label, unit)),
      'innovation (σ)',
      ...['posterior mean, alone', 'posterior σ, alone'].map((label) => withUnit(label, unit)),
      'gain, alone',
      ...['posterior mean, all', 'posterior σ, all'].map((label) => withUnit(label, unit)),
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

/** A number of standard deviations. */
function sigmas(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(1).replace('-', '−');
}

/** @param isWithheld whether posterior and gain are hidden */
function Numbers({ told, isWithheld }: { readonly told: readonly Told[]; readonly isWithheld: boolean }) {
  const unit = told[0].explanation.unit;
  return (
    <div class="results-scroll" tabIndex={0} role="region" aria-label="Prior, posterior and gain by method">
      <table class="results xray-numbers">
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col" title="The method’s forecast of what is observed, mean ± σ">
              {withUnit('prior', unit)}
            </th>
            <th scope="col" title="After the analysis of this observation alone, mean ± σ">
              {withUnit('posterior', unit)}
            </th>
            <th scope="col" title="Share of the innovation that the mean takes over, by this observation alone">
              gain
            </th>
            <th scope="col" title="Observed minus expected, over √(σ² + σₒ²)">
              d (σ)
            </th>
          </tr>
        </thead>
        <tbody>
          {told.map(({ style, explanation }) => (
            <tr key={style.label}>
              <th scope="row">
                <i class="swatch" style={{ background: style.colour }} />
                {style.title}
              </th>
              <td>{meanText(explanation.prior)}</td>
              <td>{isWithheld ? '?' : meanText(explanation.alone)}</td>
              <td>{isWithheld ? '?' : (explanation.alone.gain?.toFixed(2).replace('-', '−') ?? '–')}</td>
              <td>{sigmas(explanation.normalisedInnovation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
}: Omit<ChartProperties, 'told' | 'isWithheld'> & { readonly onReset: () => void; readonly unit: string }) {
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
        Reset
      </button>
    </form>
  );
}

export function BayesFigure({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { answers, subject, choose, methods, isWithheld } = xrayOf(useRun());
  const isHidden = isWithheld.value;
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
  /** What all observations made is not of a reading that there was not. */
  const said = (explanation: ObservationExplanation): ObservationExplanation =>
    isAsRead ? explanation : { ...explanation, together: { ...explanation.together, gain: undefined } };
  const sentences = isHidden
    ? []
    : told.map(({ style, explanation }) => describeObservation(style, spoken, said(explanation)));
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
          {first.observation.variable} read as{' '}
          <b>
            {meanText({ mean: own.value, deviation: own.errorStd })} {first.unit}
          </b>
          {!isAsRead && (
            <strong> · what if it had read {meanText({ mean: reading.value, deviation: reading.errorStd })}?</strong>
          )}
        </>
      }
    >
      <BayesChart told={told} reading={reading} own={own} isAsRead={isAsRead} isWithheld={isHidden} onRead={onRead} />
      <WhatIf
        reading={reading}
        own={own}
        isAsRead={isAsRead}
        onRead={onRead}
        onReset={() => choose(takenToRead(about, {}))}
        unit={first.unit}
      />
      <Numbers told={told} isWithheld={isHidden} />
      {isHidden && <p class="figure-note">Answer the lesson’s question to see the posterior.</p>}
      <ul class="xray-words">
        {[...trust, ...sentences].map((sentence) => (
          <li key={sentence}>{keptTogether(sentence)}</li>
        ))}
      </ul>
    </Figure>
  );
}

/** What the observation has read, and its error, whatever it is taken to have read. */
function useOwnReading(): Reading | undefined {
  const {
    course: { snapshots },
  } = useRun();
  const { answers, subject } = xrayOf(useRun());
  const [about, of] = [subject.value, answers.value];
  if (about?.kind !== 'observation') return undefined;
  const observations = snapshots.value.find(({ cycle }) => cycle === of?.cycle)?.observations;
  const inverse = observations?.inverseErrorStd[about.index] ?? 0;
  const value = observations?.values[about.index];
  return value !== undefined && inverse > 0 ? { value, errorStd: 1 / inverse } : undefined;
}
