/** The evidence of an X-ray: what it is of, one number at a time, the members' weights, and where the increment comes from. */
import { describeDegreesOfFreedom, describeReach, describeTrust, type LocalWeights } from '../../../engine/index.ts';
import { Figure } from '../../figures/figure.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { BayesFigure } from './bayes-figure.tsx';
import { InfluenceFigure } from './influence-figure.tsx';
import { TransformFigures } from './transform-figure.tsx';
import { standingWords, type XraySubject } from './answers.ts';
import { xrayOf } from './xray-state.ts';
import { placeText } from '../../document/views/view-state.ts';
import { formatNumber } from '../../format/numbers.ts';
import type { DataTable } from '../../format/tables.ts';
import { Axes } from '../../plot/line-plot.tsx';
import { layoutPlot } from '../../plot/layout.ts';
import { useSize } from '../../plot/use-size.ts';

interface MethodWeights {
  readonly style: MethodStyle;
  readonly of: LocalWeights;
}

const EMPTY =
  'The weight of each member in the mean of a LETKF at the place appears here, once a cycle with observations is asked about.';
const NO_LETKF =
  'The weight of each member in the mean of a LETKF at the place appears here. Add the method under Settings to see them.';

const HELP =
  'The analysis mean at the place is the sum of the members, each by its weight. Without observations in reach each has 1/k (dashed). Degrees of freedom for signal: by how many observations’ worth those in reach determine the analysis there.';

function tableOf(found: readonly MethodWeights[]): DataTable {
  const most = Math.max(0, ...found.map(({ of }) => of.weights.length));
  return {
    columns: ['member', ...found.map(({ style }) => `${style.title}: weight`)],
    rows: Array.from({ length: most }, (_, member) => [member, ...found.map(({ of }) => of.weights[member] ?? null)]),
  };
}

function Bars({ style, of }: MethodWeights) {
  const { weights, degreesOfFreedom } = of;
  const { pointedMember } = xrayOf(useRun());
  const [area, { width, em }] = useSize();
  const height = Math.round(10 * em);
  const share = 1 / weights.length;
  const values = Array.from(weights);
  const x = { label: 'Member', unit: '', scale: 'linear', domain: [-0.5, values.length - 0.5], whole: true } as const;
  const y = { label: 'Weight', unit: '', scale: 'linear', include: [0, share] } as const;
  const points = values.map((weight, member) => ({ x: member, y: weight }));
  const series = [{ key: 'weights', label: '', color: style.colour, dash: '', points, unlabelled: true }];
  const layout = width > 0 ? layoutPlot({ width, height, em, x, y, series }) : undefined;
  return (
    <>
      <p class="figure-note">
        <i class="swatch" style={{ background: style.colour }} /> <strong>{style.title}</strong> {describeReach(of)},
        degrees of freedom for signal <b>{formatNumber(degreesOfFreedom)}</b> of {weights.length - 1}
      </p>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {layout && (
          <svg
            class="chart"
            role="img"
            aria-label={`Weights of ${values.length} members of ${style.title}, from ${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}.`}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <Axes layout={layout} x={x} y={y} em={em} />
            {values.map((weight, member) => {
              const [left, right] = [layout.x.at(member - 0.4), layout.x.at(member + 0.4)];
              const [from, to] = [layout.y.at(Math.max(0, weight)), layout.y.at(Math.min(0, weight))];
              return (
                <rect
                  key={`member ${String(member)}`}
                  class="chart-bar"
                  data-pointed={pointedMember.value === member}
                  onPointerEnter={() => {
                    pointedMember.value = member;
                  }}
                  onPointerLeave={() => {
                    pointedMember.value = undefined;
                  }}
                  x={left}
                  y={from}
                  width={Math.max(1, right - left)}
                  height={Math.max(0.5, to - from)}
                  fill={style.colour}
                >
                  <title>{`Member ${member}: ${formatNumber(weight)}`}</title>
                </rect>
              );
            })}
            <line
              class="chart-expected"
              x1={layout.left}
              x2={layout.right}
              y1={layout.y.at(share)}
              y2={layout.y.at(share)}
            />
          </svg>
        )}
      </div>
    </>
  );
}

/** How the mean of a local ensemble transform is made at the place: a bar for each member, and what the observations there determine. */
function WeightsFigure({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { answers } = xrayOf(useRun());
  const of = answers.value;
  const found = styles.flatMap((style): MethodWeights[] => {
    const weights = of?.byMethod.get(style.label)?.weights;
    return weights ? [{ style, of: weights }] : [];
  });
  return (
    <Figure
      id="weights"
      title={of && found.length > 0 ? `Weights of the members, cycle ${of.cycle}` : 'Weights of the members'}
      help={HELP}
      table={() => tableOf(found)}
      empty={found.length > 0 ? undefined : styles.some(({ kind }) => kind === 'letkf') ? EMPTY : NO_LETKF}
    >
      {found.map((each) => (
        <Bars key={each.style.label} {...each} />
      ))}
    </Figure>
  );
}

interface NumberProperties {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

function WholeNumber({ label, value, most, onChange }: NumberProperties) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        max={most}
        step={1}
        value={value}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          if (Number.isInteger(valueAsNumber) && valueAsNumber >= 0 && valueAsNumber <= most) onChange(valueAsNumber);
        }}
      />
    </label>
  );
}

/** The number of the observation that is first asked about if none is. */
const FIRST = 0;

/** What the X-ray is of, as numbers: whatever a click chooses, these do as well. */
function SubjectForm({ subject }: { readonly subject: XraySubject }) {
  const {
    course: { info, currentSnapshot },
  } = useRun();
  const { answers, choose, variables } = xrayOf(useRun());
  const basin = info.value?.basin;
  if (!basin) return null;
  const place = answers.value?.place;
  const count = currentSnapshot.value?.observations.x.length ?? 0;
  const cell = place?.cell ?? { x: Math.floor(basin.nx / 2), y: Math.floor(basin.ny / 2) };
  const variable = place?.variable ?? variables.value[0];
  return (
    <form class="pin-form xray-subject" aria-label="What the X-ray is of" onSubmit={(event) => event.preventDefault()}>
      <select
        class="figure-choice"
        aria-label="X-ray of"
        value={subject.kind}
        onChange={({ currentTarget: { value } }) => {
          if (value === 'observation') choose({ kind: 'observation', index: FIRST });
          else choose({ kind: 'point', ...cell, variable });
        }}
      >
        <option value="point">{basin.isRing ? 'Place' : 'Point'}</option>
        <option value="observation" disabled={count === 0}>
          Observation
        </option>
      </select>
      {subject.kind === 'point' ? (
        <>
          <WholeNumber
            label={basin.isRing ? 'number' : 'i'}
            value={subject.x}
            most={basin.nx - 1}
            onChange={(x) => choose({ ...subject, x })}
          />
          {!basin.isRing && (
            <WholeNumber label="j" value={subject.y} most={basin.ny - 1} onChange={(y) => choose({ ...subject, y })} />
          )}
          {variables.value.length > 1 && (
            <label>
              of
              <select
                class="figure-choice"
                aria-label="Variable at the point"
                value={subject.variable}
                onChange={({ currentTarget: { value } }) => choose({ ...subject, variable: value })}
              >
                {variables.value.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
        </>
      ) : (
        <WholeNumber
          label="number"
          value={subject.index}
          most={Math.max(0, count - 1)}
          onChange={(index) => choose({ kind: 'observation', index })}
        />
      )}
      {place && !(basin.isRing && subject.kind === 'point') && (
        <span class="label number">{placeText(basin, place.at)}</span>
      )}
    </form>
  );
}

function Begin() {
  const { commands } = useLaboratory();
  return (
    <div class="xray-begin">
      <p class="figure-empty">
        Why is the analysis here what it is? An X-ray shows, on the water of every method, what links a place with the
        rest, and here what each makes of an observation, which observations have a part in it, and by how much.
      </p>
      <p class="figure-empty">
        Put the crosshair on a place and press <kbd>X</kbd>, or on an observation and press <kbd>Shift</kbd>{' '}
        <kbd>X</kbd>; then click another place or a stem.
      </p>
      <button type="button" class="button" onClick={() => commands.runCommand('stage.xray')}>
        Begin an X-ray
      </button>
    </div>
  );
}

/** How much the methods trust their backgrounds at the place; what they are refused. */
function Words() {
  const { answers, methods, busy, failure } = xrayOf(useRun());
  const { cycle } = useRun().course;
  const of = answers.value;
  const told = methods.value.flatMap((method) => {
    const column = of?.byMethod.get(method.label)?.column;
    return column ? [{ ...method, deviation: column.deviation }] : [];
  });
  const refused = [...(of?.byMethod ?? [])].flatMap(([label, { refusals }]) =>
    Object.values(refusals ?? {}).flatMap((refusal) => (refusal === undefined ? [] : [`${label}: ${refusal}`])),
  );
  const sentences = [...(of?.subject.kind === 'point' ? describeTrust(told) : []), ...new Set(refused)];
  const standing = { cycle: cycle.value, answers: of, busy: busy.value, failure: failure.value };
  return (
    <>
      {of?.cycle !== cycle.value && <p class="figure-note">{standingWords(standing)}</p>}
      {sentences.length > 0 && (
        <ul class="xray-words">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const FREEDOM_HELP =
  'tr(H K) of the whole analysis: how many independent pieces of information it takes from its observations. If a method states an error, the trace is estimated from random vectors.';

function Freedom({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const {
    course: { playing },
  } = useRun();
  const { answers, methods, busy, askFreedom } = xrayOf(useRun());
  const found = styles.flatMap(({ label, kind, title }) => {
    const freedom = answers.value?.byMethod.get(label)?.freedom;
    return freedom ? [{ label, kind, title, freedom }] : [];
  });
  return (
    <>
      <Figure
        id="freedom"
        title="Degrees of freedom for signal"
        help={FREEDOM_HELP}
        picture={false}
        table={() => ({
          columns: ['method', 'tr(H K)', 'standard error', 'observations'],
          rows: found.map(({ title, freedom: { value, standardError, observations } }) => [
            title,
            value,
            standardError,
            observations,
          ]),
        })}
        empty={
          found.length === 0
            ? 'The degrees of freedom for signal are computed on request. They take several analyses.'
            : undefined
        }
      >
        <ul class="xray-words">
          {found.map(({ freedom, ...method }) => (
            <li key={method.label}>{describeDegreesOfFreedom(method, methods.value, freedom)}</li>
          ))}
        </ul>
      </Figure>
      {found.length === 0 && (
        <button
          type="button"
          class="button"
          disabled={!answers.value || playing.value || busy.value !== undefined}
          onClick={askFreedom}
        >
          Compute them
        </button>
      )}
    </>
  );
}

export function XrayTab({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { subject, isWithheld } = xrayOf(useRun());
  if (!subject.value) return <Begin />;
  return (
    <>
      <SubjectForm subject={subject.value} />
      <Words />
      <BayesFigure styles={styles} />
      {/* These show the analysis. */}
      {!isWithheld.value && (
        <>
          <WeightsFigure styles={styles} />
          <TransformFigures styles={styles} />
          <InfluenceFigure styles={styles} />
          <Freedom styles={styles} />
        </>
      )}
    </>
  );
}
