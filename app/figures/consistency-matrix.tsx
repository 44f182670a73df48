/** The figures of consistency as a matrix, tests by methods: a sign in each cell, which opens what is behind it. By keyboard as a grid. */
import { Fragment, type ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { MethodStyle } from '../document/views/method-style.ts';
import { GROUP_TITLES, VERDICTS } from './consistency-rows.ts';
import type { ConsistencyRow, ConsistencySection } from './consistency-rows.ts';
import { stripWords } from './consistency-strip.ts';

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

export function ConsistencyMatrix({ sections, styles, chosen, onChoose, children }: MatrixProps) {
  const table = useRef<HTMLTableElement>(null);
  /** The cell that the Tab key comes to, by row over all sections and column. */
  const [[row, column], setCell] = useState<readonly [number, number]>([0, 0]);
  const rows = sections.flatMap((section) => section.rows);
  const here = [clip(row, rows.length), clip(column, styles.length)] as const;
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = Object.hasOwn(MOVES, event.key) ? MOVES[event.key] : undefined;
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
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
