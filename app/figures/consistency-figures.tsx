/** Whether each method's idea of its errors agrees with its errors: a matrix of tests and methods, and behind each test its numbers. */
import { batch } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConsistencyFigure, CycleDiagnostics, Scenario } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { formatMeasured } from '../format/numbers.ts';
import { takeKey } from '../plot/keys.ts';
import { chartsOf } from './chart-state.ts';
import {
  consistencySections,
  consistencyTable,
  curveOf,
  figuresOf,
  MOST_CYCLES,
  VERDICTS,
  GROUP_TITLES,
  beyondMark,
  layoutStrip,
  STRIP_HEIGHT,
  stripWords,
} from './consistency-rows.ts';
import type { ConsistencyRow, ConsistencySection } from './consistency-rows.ts';
import type { FigureRun } from './figure-data.ts';
import { Figure } from './figure.tsx';

interface MatrixProps {
  readonly sections: readonly ConsistencySection[];
  /** The columns. */
  readonly styles: readonly MethodStyle[];
  /** The key of the row that is open. */
  readonly chosen: string;
  readonly onChoose: (row: ConsistencyRow, style: MethodStyle) => void;
  /** What is shown beneath the row that is open. */
  readonly children: ComponentChildren;
}

/** More columns have their names upright. */
const MOST_LEVEL = 3;

const MOVES: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

function clip(place: number, count: number): number {
  return Math.min(count - 1, Math.max(0, place));
}

function ConsistencyMatrix({ sections, styles, chosen, onChoose, children }: MatrixProps) {
  const table = useRef<HTMLTableElement>(null);
  /** The cell that the Tab key comes to, by row over all sections and column. */
  const [[row, column], setCell] = useState<readonly [number, number]>([0, 0]);
  const rows = sections.flatMap((section) => section.rows);
  const here = [clip(row, rows.length), clip(column, styles.length)] as const;
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = takeKey(event, MOVES);
    if (!move) return;
    const next = [clip(here[0] + move[0], rows.length), clip(here[1] + move[1], styles.length)] as const;
    const cells = table.current?.querySelectorAll<HTMLButtonElement>('.consistency-verdict[aria-expanded]');
    cells?.[next[0] * styles.length + next[1]]?.focus();
  };
  return (
    <table
      class="consistency-matrix"
      role="grid"
      aria-label="Tests of consistency by method"
      ref={table}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr>
          <th scope="col">Test</th>
          {styles.map(({ label, title, colour }) => (
            <th key={label} scope="col" data-upright={styles.length > MOST_LEVEL} title={title}>
              <span>{title}</span>
              <i class="swatch" style={{ background: colour }} />
            </th>
          ))}
        </tr>
      </thead>
      {sections.map(({ group, rows: own }) => (
        <tbody key={group}>
          <tr class="consistency-group">
            <th scope="rowgroup" colSpan={styles.length + 1}>
              {GROUP_TITLES[group]}
            </th>
          </tr>
          {own.map((each) => (
            <Fragment key={each.key}>
              <tr aria-selected={each.key === chosen}>
                <th scope="row" title={each.meaning}>
                  {each.title}
                </th>
                {styles.map((style, place) => {
                  const isHere = rows[here[0]] === each && here[1] === place;
                  return (
                    <td key={style.label}>
                      <Cell
                        row={each}
                        style={style}
                        isOpen={each.key === chosen}
                        tabIndex={isHere ? 0 : -1}
                        onFocus={() => setCell([rows.indexOf(each), place])}
                        onChoose={() => onChoose(each, style)}
                      />
                    </td>
                  );
                })}
              </tr>
              {each.key === chosen && (
                <tr class="consistency-open">
                  <td colSpan={styles.length + 1}>{children}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface CellProps {
  readonly row: ConsistencyRow;
  readonly style: MethodStyle;
  readonly isOpen: boolean;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

function Cell({ row: { title, methods }, style, isOpen, tabIndex, onFocus, onChoose }: CellProps) {
  const figure = methods.find((each) => each.style.label === style.label)?.figure;
  const [symbol, word] = figure ? VERDICTS[figure.verdict] : ['–', 'not defined'];
  const words = figure ? `${word}, ${stripWords(figure)}` : word;
  return (
    <button
      type="button"
      class={`consistency-verdict ${figure?.verdict ?? 'absent'}`}
      tabIndex={tabIndex}
      aria-expanded={isOpen}
      aria-label={`${style.title}, ${title}: ${words}`}
      title={`${style.title}: ${words}`}
      onFocus={onFocus}
      onClick={onChoose}
    >
      {symbol}
    </button>
  );
}

type Given = Pick<FigureRun, 'styles' | 'diagnostics' | 'scenario'>;

interface ConsistencyProps extends Given {
  /** The choice of a curve, and the curve that is chosen. */
  readonly children: ComponentChildren;
}

/** What was found of a method, and the rows that it was found in. */
interface Found {
  readonly rows: readonly CycleDiagnostics[];
  readonly scenario: Scenario;
  readonly figures: readonly ConsistencyFigure[];
}

/** @returns the figures of each method by its label, of one method in each task: of all at once would hold the page up */
function useFigures({ styles, diagnostics, scenario }: Given): ReadonlyMap<string, Found> {
  const [found, setFound] = useState<ReadonlyMap<string, Found>>(new Map());
  /** Counts the methods that were computed: whoever waited longest is next. */
  const turn = useRef(0);
  const latest = useRef(found);
  latest.current = found;
  useEffect(() => {
    if (!scenario) return undefined;
    let left = styles.length;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (): void => {
      if (left === 0) return;
      left -= 1;
      const { label } = styles[turn.current++ % styles.length];
      const rows = diagnostics.get(label) ?? [];
      const known = latest.current.get(label);
      if (known?.rows !== rows || known.scenario !== scenario) {
        const figures = figuresOf(rows, scenario);
        setFound((before) => new Map([...before, [label, { rows, scenario, figures }]]));
      }
      timer = setTimeout(next);
    };
    timer = setTimeout(next);
    return () => clearTimeout(timer);
  }, [styles, diagnostics, scenario]);
  return found;
}

export function ConsistencyFigures({ styles, diagnostics, scenario, children }: ConsistencyProps) {
  const charts = chartsOf(useRun());
  const found = useFigures({ styles, diagnostics, scenario });
  const sections = useMemo(() => {
    const ofRun = [...found].filter(([, of]) => of.scenario === scenario);
    return consistencySections(styles, new Map(ofRun.map(([label, { figures }]) => [label, figures])));
  }, [styles, found, scenario]);
  const rows = sections.flatMap((section) => section.rows);
  const hasIntervals = rows.some(({ methods }) => methods.some(({ figure }) => figure.interval));
  const open = rows.find(({ key }) => key === charts.consistencyTest.value);
  const hasCycles = styles.some(({ label }) => (diagnostics.get(label)?.length ?? 0) > 0);
  return (
    <Figure
      id="consistency"
      title="Consistency"
      picture={false}
      help={`✓ good, ▲ too high, ▼ too low, ? too few cycles to say. Means over the cycles after the spin-up, of the last ${MOST_CYCLES}, with intervals of 95 % by a block bootstrap${
        hasIntervals ? '' : ' from three cycles on'
      }. A sign opens the numbers of its test and the curve behind them.`}
      table={() => consistencyTable(sections)}
      empty={
        hasCycles
          ? undefined
          : 'Whether each method’s idea of its errors agrees with its errors appears here after the first cycle. Press play or step.'
      }
    >
      <ConsistencyMatrix
        sections={sections}
        styles={styles}
        chosen={open?.key ?? ''}
        onChoose={({ key }, { label }) => {
          const isClosed = key === open?.key && label === charts.consistencyMethod.value;
          batch(() => {
            charts.consistencyTest.value = isClosed ? '' : key;
            charts.consistencyMethod.value = label;
            charts.consistencyCurve.value = isClosed ? '' : curveOf(key);
          });
        }}
      >
        {open && (
          <>
            <Row row={open} />
            {children}
          </>
        )}
      </ConsistencyMatrix>
      {!open && children}
    </Figure>
  );
}

/** A test: its number for each method beside what is good, and what it means. */
function Row({ row: { title, meaning, good, methods } }: { readonly row: ConsistencyRow }) {
  return (
    <div class="consistency-row">
      <h4>{title}</h4>
      <ul>
        {methods.map(({ style, figure }) => (
          <li key={style.label}>
            <MethodFigure style={style} figure={figure} good={good} />
          </li>
        ))}
      </ul>
      <p>{meaning}</p>
      {good && <p>The shaded part of a strip is what is good; a triangle at its end is a value beyond it.</p>}
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
