/** What every figure of the evidence has: a head, one line of help, its numbers as a table, and saving as SVG, PNG and CSV. */
import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Scenario } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import type { EvidenceTab } from '../page/overlays.ts';
import { useLaboratory } from '../page/laboratory.ts';
import { figurePanel } from '../page/own-windows.ts';
import type { DataTable } from '../format/tables.ts';
import { saveFigure, type DrawnEntry, type FigureFormat } from './export.ts';
import { formatColumn } from '../format/numbers.ts';
import { GlossedText } from '../controls/line-name.tsx';
import { OwnPlace } from '../controls/own-place.tsx';
import { Icon } from '../controls/buttons.tsx';
import { useOutsidePress } from '../controls/dialog.tsx';
import { useEnlarged, useFilled } from './enlarge.ts';

interface LogAxis {
  readonly isLog: boolean;
  readonly toggle: () => void;
}

interface FigureProps {
  /** Id in the file's name. */
  readonly id: string;
  readonly title: string;
  /** What the numbers mean, in a line. */
  readonly help: string;
  readonly table: () => DataTable;
  /** Instead of a chart: what will appear here and how to make it appear. */
  readonly empty?: string | undefined;
  /** The one number or the verdict. */
  readonly note?: ComponentChildren;
  readonly controls?: ComponentChildren;
  /** Legend of lines without a label of their own, for the saved picture; on screen the panel's legend has them. */
  readonly legend?: readonly DrawnEntry[] | undefined;
  /** Whether its axis of values is logarithmic, if it can be. */
  readonly logarithmic?: LogAxis | undefined;
  /** Whether the figure is a picture; otherwise it is saved as CSV only. */
  readonly picture?: boolean;
  /** Whether it is scrolled into view, with or without content: a lesson speaks of it. */
  readonly comesIntoView?: boolean;
  /** What it is of, for files: their names begin with the name. The run on screen if omitted. */
  readonly subject?: { readonly name: string; readonly subtitle: string };
  readonly children?: ComponentChildren;
}

/** Where in the evidence figures are, in the page or in a window of their own; those on other pages are nowhere in it. */
export const FigurePlace = createContext<
  | {
      readonly tab: EvidenceTab;
      /** The one figure that is in the window; all if omitted. */
      readonly only?: string | undefined;
      /** Whether the window is the page's first. */
      readonly isPage: boolean;
    }
  | undefined
>(undefined);

/** What the figure says beside its charts, as on screen. */
function notesOf(figure: Element): string[] {
  const notes = [...figure.querySelectorAll('.figure-note')].map(({ textContent }) => (textContent ?? '').trim());
  return notes.filter(Boolean).map((text) => (/[.:]$/.test(text) ? text : `${text}.`));
}

function subjectOf(scenario: Scenario | undefined): NonNullable<FigureProps['subject']> {
  if (!scenario) return { name: 'shoal', subtitle: '' };
  return { name: scenario.name, subtitle: `${scenario.title || scenario.name}, seed ${scenario.seed}` };
}

/** More rows are not written into the page; the CSV has them all. */
const MOST_ROWS = 500;

export function Figure({
  id,
  title,
  help,
  table,
  empty,
  note,
  controls,
  legend = [],
  logarithmic,
  picture = true,
  comesIntoView = false,
  subject,
  children,
}: FigureProps) {
  const {
    host,
    notices: { notify },
    ownWindows,
    preferences: { full },
  } = useLaboratory();
  const { info } = useRun().course;
  const place = useContext(FigurePlace);
  const own = place && figurePanel(place.tab, id, title);
  const isAlone = place?.only === id;
  const figure = useRef<HTMLElement>(null);
  const [numbers, setNumbers] = useState(false);
  const titleId = useId();
  const enlarged = useEnlarged(figure);
  useFilled(figure, isAlone);
  const isLarge = isAlone || enlarged.isEnlarged;
  const toggle = isAlone && own ? () => ownWindows.bringBack(own.id) : enlarged.toggle;
  const save = (format: FigureFormat): void => {
    const surroundings = figure.current;
    if (surroundings === null) return;
    const { name, subtitle } = subject ?? subjectOf(info.value?.scenario);
    const source = {
      name: `${name}-${id}`,
      title,
      subtitle,
      caption: [...notesOf(surroundings), help].join(' '),
      charts: [...surroundings.querySelectorAll<SVGSVGElement>('svg.chart')],
      surroundings,
      legend,
      table: table(),
    };
    saveFigure(host, format, source).catch((error: unknown) => {
      notify('error', `${title} could not be saved`, {
        lines: [error instanceof Error ? error.message : String(error)],
      });
    });
  };
  const isEmpty = empty !== undefined;
  useEffect(() => {
    if (comesIntoView) figure.current?.scrollIntoView({ block: 'start' });
  }, [comesIntoView, isEmpty]);
  if (place?.only !== undefined && !isAlone) return null;
  if (place?.isPage === true && own && ownWindows.panels.value.has(own.id)) return <OwnPlace panel={own} />;
  return (
    <figure class="figure" ref={figure} aria-labelledby={titleId} data-figure={id} data-alone={isAlone}>
      <header class="figure-head">
        <h3 id={titleId} title={help} onDblClick={isEmpty ? undefined : toggle}>
          {title}
        </h3>
        {!isEmpty && (
          <div class="figure-controls">
            {controls}
            <button
              type="button"
              class="icon-button"
              aria-label={isLarge ? `${title}: back to its place` : `${title}: enlarge`}
              title={isLarge ? `Back to its place${isAlone ? '' : ' (Esc)'}` : 'Enlarge (double click on the title)'}
              onClick={toggle}
            >
              <Icon name={isLarge ? 'shrink' : 'enlarge'} />
            </button>
            <FigureMenu
              title={title}
              pictures={picture && !numbers}
              numbers={numbers}
              logarithmic={logarithmic}
              onOwnWindow={own && !isAlone && full.value ? () => void ownWindows.detach(own) : undefined}
              onNumbers={picture ? () => setNumbers(!numbers) : undefined}
              onSave={save}
            />
          </div>
        )}
      </header>
      {isEmpty ? (
        <p class="figure-empty">{empty}</p>
      ) : (
        <>
          {note !== undefined && <div class="figure-note">{note}</div>}
          {numbers ? <NumberTable title={title} table={table()} /> : children}
          <figcaption class="figure-help">
            <GlossedText text={help} />
          </figcaption>
        </>
      )}
    </figure>
  );
}

interface MenuProps {
  readonly title: string;
  readonly pictures: boolean;
  readonly numbers: boolean;
  readonly logarithmic: LogAxis | undefined;
  readonly onOwnWindow: (() => void) | undefined;
  readonly onNumbers: (() => void) | undefined;
  readonly onSave: (format: FigureFormat) => void;
}

function FigureMenu({ title, pictures, numbers, logarithmic, onOwnWindow, onNumbers, onSave }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const listId = useId();
  useEffect(() => {
    if (open) root.current?.querySelector<HTMLButtonElement>('li button')?.focus();
  }, [open]);
  useOutsidePress(root, open, () => setOpen(false));
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const choose = (action: () => void) => () => {
    close();
    action();
  };
  const formats: readonly FigureFormat[] = pictures ? ['svg', 'png', 'csv'] : ['csv'];
  return (
    <div
      class="figure-menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        class="icon-button"
        aria-label={`${title}: save, numbers`}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M3 8h.01M8 8h.01M13 8h.01" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
        </svg>
      </button>
      <ul id={listId} hidden={!open}>
        {formats.map((format) => (
          <li key={format}>
            <button type="button" onClick={choose(() => onSave(format))}>
              Save as {format.toUpperCase()}
            </button>
          </li>
        ))}
        {pictures && logarithmic && (
          <li>
            <button type="button" aria-pressed={logarithmic.isLog} onClick={choose(logarithmic.toggle)}>
              Logarithmic axis
            </button>
          </li>
        )}
        {onOwnWindow && (
          <li>
            <button type="button" onClick={choose(onOwnWindow)}>
              Show in its own window
            </button>
          </li>
        )}
        {onNumbers !== undefined && (
          <li>
            <button type="button" aria-pressed={numbers} onClick={choose(onNumbers)}>
              {numbers ? 'Show the chart' : 'Show the numbers'}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Whole numbers and words as they are; a column with fractions in equal digits. */
function columnTexts(cells: readonly (string | number | null | undefined)[]): readonly string[] {
  const hasFractions = cells.some((cell) => typeof cell === 'number' && !Number.isInteger(cell));
  const numbers = hasFractions ? formatColumn(cells.map((cell) => (typeof cell === 'number' ? cell : null))) : [];
  return cells.map((cell, row) => (typeof cell === 'number' && hasFractions ? numbers[row] : String(cell ?? '')));
}

function NumberTable({ title, table: { columns, rows } }: { readonly title: string; readonly table: DataTable }) {
  const shown = rows.slice(-MOST_ROWS);
  const texts = columns.map((_, column) => columnTexts(shown.map((row) => row[column])));
  return (
    <div class="number-table" role="region" aria-label={`${title}, numbers`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={rows.length - shown.length + index}>
              {row.map((_, column) => (
                <td key={columns[column]}>{texts[column]?.[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <p>
          The last {shown.length} of {rows.length} rows; the CSV has them all.
        </p>
      )}
    </div>
  );
}
