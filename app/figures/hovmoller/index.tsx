/**
 * The Hovmöller plot of a ring: places across, time downwards, the state of truth or method or its error in colours. Waves are seen
 * as slanting bands, and errors with their origin and direction. Branches of what is drawn are beneath it.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ShownSnapshot } from '../../document/lines/shown.ts';
import type { BasinInfo } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import { fieldIn } from '../../fields/fields.ts';
import type { DataTable } from '../../format/tables.ts';
import { TRUTH, TRUTH_STYLE, type MethodStyle } from '../../document/views/method-style.ts';
import { Choice } from '../../controls/buttons.tsx';
import { Figure } from '../figure.tsx';
import { paintRows, rangeOf, shownRows, type Quantity, type ShownRow, openRingRows, type RingRow } from './picture.ts';
import { HovmollerPlot } from './plot.tsx';
import { chartsOf } from '../chart-state.ts';

/** Cycles that are shown where nobody has zoomed: more would be finer than the screen. */
const MOST_CYCLES = 300;

interface HovmollerProps {
  readonly styles: readonly MethodStyle[];
  readonly snapshots: readonly ShownSnapshot[];
  readonly basin: BasinInfo;
}

function useRows(snapshots: readonly ShownSnapshot[]): readonly RingRow[] {
  const reader = useRun().planeReader.value;
  const [, setArrivals] = useState(0);
  const rows = useMemo(() => openRingRows(reader, () => setArrivals((before) => before + 1)), [reader]);
  useEffect(() => () => rows.close(), [rows]);
  return rows.at(snapshots);
}

/** Sizes of the type that the pictures are high together, and each at least. */
const HEIGHT = 30;
const LEAST_HEIGHT = 13;

interface Panel {
  readonly subject: string;
  readonly title: string;
  readonly shown: readonly ShownRow[];
}

/** The table: the rows of one subject as they are; those of several with their subjects. */
function table(panels: readonly Panel[], places: number, symbol: string): DataTable {
  const isOne = panels.length === 1;
  return {
    columns: [...(isOne ? [] : ['of whom']), 'cycle', ...Array.from({ length: places }, (_, i) => `${symbol} at ${i}`)],
    rows: panels.flatMap(({ title, shown }) =>
      shown.map(({ cycle, values }) => [...(isOne ? [] : [title]), cycle, ...values]),
    ),
  };
}

const QUANTITIES = [
  { value: 'state', label: 'State' },
  { value: 'error', label: 'Error' },
] as const;

export function Hovmoller({ styles, snapshots, basin }: HovmollerProps) {
  const {
    course: { cycleDomain },
    branches,
  } = useRun();
  const { hovmollerSubject, hovmollerQuantity } = chartsOf(useRun());
  const all = useRows(snapshots);
  const labels = [TRUTH, ...styles.map(({ label }) => label)];
  const subject = labels.includes(hovmollerSubject.value) ? hovmollerSubject.value : TRUTH;
  const quantity: Quantity = subject === TRUTH ? 'state' : hovmollerQuantity.value;
  const newest = all.at(-1)?.cycle ?? 0;
  const [from, to] = cycleDomain.value ?? [newest - MOST_CYCLES + 1, newest];
  const last = Math.min(newest, Math.ceil(to));
  const first = Math.max(all[0]?.cycle ?? 0, Math.min(last, Math.floor(from)));
  const rows = all.filter((row, index) => row.cycle <= last && (all[index + 1]?.cycle ?? row.cycle + 1) > first);
  const field = fieldIn(basin, quantity === 'error' ? 'error' : 'surface');
  const panels = [subject, ...branches.besideOf(subject)].map((one): Panel => ({
    subject: one,
    title: branches.styleOf(one)?.title ?? one,
    shown: shownRows(rows, one, quantity),
  }));
  const [{ title, shown }] = panels;
  const subjects = panels.map((panel) => panel.subject);
  const range = rangeOf(rows, subjects, quantity, field.scale);
  const of = quantity === 'error' ? 'error of ' : '';
  return (
    <Figure
      id="hovmoller"
      title={`Hovmöller plot: ${of}${title}`}
      help={`${field.description} Places round the ring across, cycles downwards; the right edge joins the left.`}
      empty={
        shown.length === 0 ? 'Places by time appear here with the first stored cycle. Press play or step.' : undefined
      }
      note={
        first > (all[0]?.cycle ?? 0) && cycleDomain.value === undefined
          ? `The last ${last - first + 1} cycles.`
          : undefined
      }
      table={() => table(panels, basin.nx, field.symbol)}
      controls={
        <>
          <Choice
            label="Of whom"
            value={subject}
            options={[
              { value: TRUTH, label: TRUTH_STYLE.title },
              ...styles.map(({ label, title: name }) => ({ value: label, label: name })),
            ]}
            onChange={(label) => {
              hovmollerSubject.value = label;
            }}
          />
          {subject !== TRUTH && (
            <Choice
              label="What of it"
              value={quantity}
              options={QUANTITIES}
              onChange={(value) => {
                hovmollerQuantity.value = value;
              }}
            />
          )}
        </>
      }
    >
      {panels.map((panel, n) => (
        <section key={panel.subject} class="hovmoller-panel" aria-label={`${of}${panel.title}`}>
          {panels.length > 1 && <h4>{panel.title}</h4>}
          <HovmollerPlot
            picture={paintRows(panel.shown, { first, last }, range, field.colourMap, basin.nx)}
            rows={panel.shown}
            cycles={{ first, last }}
            range={range}
            field={field}
            heightEm={Math.max(LEAST_HEIGHT, HEIGHT / panels.length)}
            isLast={n === panels.length - 1}
            name={panels.length > 1 ? `Hovmöller plot of ${panel.title}` : 'Hovmöller plot'}
            summary={`${field.title} of ${panel.title} by place and cycle, from cycle ${first} to ${last}.`}
          />
        </section>
      ))}
    </Figure>
  );
}
