/** Whether each method's idea of its errors agrees with its errors: figures with their intervals beside what is good, in words. */
import { useMemo } from 'preact/hooks';
import type { ConsistencyFigure } from '../../engine/index.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import {
  consistencySections,
  consistencyTable,
  GROUP_TITLES,
  MOST_CYCLES,
  verdictCounts,
  VERDICTS,
} from './consistency-rows.ts';
import type { ConsistencyRow, ConsistencySection, VerdictCounts } from './consistency-rows.ts';
import { beyondMark, layoutStrip, STRIP_HEIGHT, stripWords } from './consistency-strip.ts';
import { Figure } from './figure.tsx';
import { formatMeasured } from '../format/numbers.ts';
import type { FigureRun } from './figure-data.ts';

type ConsistencyProps = Pick<FigureRun, 'styles' | 'diagnostics' | 'scenario'>;

export function ConsistencyFigures({ styles, diagnostics, scenario }: ConsistencyProps) {
  // Once a cycle; pointing leaves it as it is.
  const sections = useMemo(
    () => (scenario ? consistencySections(styles, diagnostics, scenario) : []),
    [styles, diagnostics, scenario],
  );
  const hasIntervals = sections.some(({ rows }) =>
    rows.some(({ methods }) => methods.some(({ figure }) => figure.interval)),
  );
  return (
    <Figure
      id="consistency"
      title="Consistency"
      picture={false}
      help={`Means over the cycles after the spin-up, of the last ${MOST_CYCLES}, with intervals of 95 % by a block bootstrap${
        hasIntervals ? '' : ' from three cycles on'
      }. The shaded part of a strip is what is good, a triangle at its end a value beyond it; "unsure" are too few cycles to say.`}
      table={() => consistencyTable(sections)}
      note={sections.length > 0 ? <Verdicts sections={sections} /> : undefined}
      empty={
        sections.length === 0
          ? 'Whether each method’s idea of its errors agrees with its errors appears here after the first cycle. Press play or step.'
          : undefined
      }
    >
      {sections.map(({ group, rows }) => (
        <section key={group} class="consistency-group" aria-label={GROUP_TITLES[group]}>
          <h4>{GROUP_TITLES[group]}</h4>
          {rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </section>
      ))}
    </Figure>
  );
}

/** @returns such as `8 good, 2 off, 1 unsure`, without what there is none of */
function countText({ good, low, high, unknown }: VerdictCounts): string {
  const parts = [
    [good, 'good'],
    [low + high, 'off'],
    [unknown, 'unsure'],
  ] as const;
  return parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
}

/** How many figures of each method are good and how many are not, a line a method. */
function Verdicts({ sections }: { readonly sections: readonly ConsistencySection[] }) {
  return (
    <ul class="consistency-verdicts">
      {verdictCounts(sections).map(([style, counts]) => (
        <li key={style.label}>
          <i class="swatch" style={{ background: style.colour }} />
          <strong>{style.title}</strong> {countText(counts)}
        </li>
      ))}
    </ul>
  );
}

function Row({ row: { title, meaning, good, methods } }: { readonly row: ConsistencyRow }) {
  return (
    <div class="consistency-row">
      <h5>{title}</h5>
      <ul>
        {methods.map(({ style, figure }) => (
          <li key={style.label}>
            <MethodFigure style={style} figure={figure} good={good} />
          </li>
        ))}
      </ul>
      <p>{meaning}</p>
    </div>
  );
}

interface MethodFigureProps {
  readonly style: MethodStyle;
  readonly figure: ConsistencyFigure;
  readonly good: ConsistencyFigure['good'];
}

function MethodFigure({ style, figure, good }: MethodFigureProps) {
  const [symbol, word] = VERDICTS[figure.verdict];
  return (
    <>
      <span class="consistency-method" title={style.title}>
        <i class="swatch" style={{ background: style.colour }} />
        {style.title}
      </span>
      {good && <Strip figure={figure} good={good} colour={style.colour} />}
      <span class="consistency-value" title={stripWords(figure)}>
        {formatMeasured(figure.value)}
      </span>
      <span class={`consistency-verdict ${figure.verdict}`}>
        <span aria-hidden="true">{symbol}</span> {word}
      </span>
    </>
  );
}

interface StripProps {
  readonly figure: ConsistencyFigure;
  readonly good: readonly [number, number];
  readonly colour: string;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

/** What is good shaded, the value a mark on it and its interval a line; a triangle points to a value beyond an end. */
function Strip({ figure, good, colour }: StripProps) {
  const { good: shaded, value, beyond, interval } = layoutStrip(figure, good);
  const words = stripWords(figure);
  const middle = STRIP_HEIGHT / 2;
  return (
    <svg class="consistency-strip" role="img" aria-label={words} height={STRIP_HEIGHT}>
      <title>{words}</title>
      <rect
        class="consistency-good"
        x={percent(shaded[0])}
        width={percent(shaded[1] - shaded[0])}
        y="0"
        height={STRIP_HEIGHT}
      />
      {interval && (
        <line
          x1={percent(interval[0])}
          x2={percent(interval[1])}
          y1={middle}
          y2={middle}
          stroke={colour}
          stroke-width="2"
        />
      )}
      {beyond === undefined ? (
        <circle cx={percent(value)} cy={middle} r="4" fill={colour} />
      ) : (
        <svg class="consistency-beyond" x={percent(value)} overflow="visible">
          <polygon points={beyondMark(beyond)} fill={colour} />
        </svg>
      )}
    </svg>
  );
}
