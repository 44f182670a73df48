/**
 * The Hovmöller plot of a ring: places across, time downwards, the state of truth or method or its error in colours. Waves are seen
 * as slanting bands, and errors with where they come from and whither they travel.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BasinInfo, Snapshot } from '../../session/session.ts';
import { useRun } from '../../state/context.ts';
import { fieldIn } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import type { MethodStyle } from '../../state/method-style.ts';
import { Choice } from '../choice.tsx';
import { Figure } from '../figure.tsx';
import { paintRows, rangeOf, shownRows } from './picture.ts';
import type { Quantity } from './picture.ts';
import { HovmollerPlot } from './plot.tsx';
import { openRingRows } from './rows.ts';
import type { RingRow } from './rows.ts';

/** Cycles that are shown where nobody has zoomed: more would be finer than the screen. */
const MOST_CYCLES = 300;

interface HovmollerProps {
  readonly styles: readonly MethodStyle[];
  readonly snapshots: readonly Snapshot[];
  readonly basin: BasinInfo;
}

function useRows(snapshots: readonly Snapshot[]): readonly RingRow[] {
  const reader = useRun().planeReader.value;
  const [, setArrivals] = useState(0);
  const rows = useMemo(() => openRingRows(reader, () => setArrivals((before) => before + 1)), [reader]);
  useEffect(() => () => rows.close(), [rows]);
  return rows.at(snapshots);
}

const QUANTITIES = [
  { value: 'state', label: 'State' },
  { value: 'error', label: 'Error' },
] as const;

export function Hovmoller({ styles, snapshots, basin }: HovmollerProps) {
  const {
    charts: { hovmollerSubject, hovmollerQuantity },
    session: { cycleDomain },
  } = useRun();
  const all = useRows(snapshots);
  const labels = [TRUTH, ...styles.map(({ label }) => label)];
  const subject = labels.includes(hovmollerSubject.value) ? hovmollerSubject.value : TRUTH;
  const quantity: Quantity = subject === TRUTH ? 'state' : hovmollerQuantity.value;
  const newest = all.at(-1)?.cycle ?? 0;
  const [from, to] = cycleDomain.value ?? [newest - MOST_CYCLES + 1, newest];
  const last = Math.min(newest, Math.ceil(to));
  const first = Math.max(all[0]?.cycle ?? 0, Math.min(last, Math.floor(from)));
  const rows = all.filter((row, index) => row.cycle <= last && (all[index + 1]?.cycle ?? row.cycle + 1) > first);
  const shown = shownRows(rows, subject, quantity);
  const field = fieldIn(basin, quantity === 'error' ? 'error' : 'surface');
  const range = rangeOf(rows, shown, quantity, field.scale);
  const title =
    subject === TRUTH ? TRUTH_STYLE.title : (styles.find(({ label }) => label === subject)?.title ?? subject);
  const places = Array.from({ length: basin.nx }, (_, i) => i);
  return (
    <Figure
      id="hovmoller"
      title={`Hovmöller plot: ${quantity === 'error' ? 'error of ' : ''}${title}`}
      help={`${field.description} Places round the ring across, cycles downwards; the picture goes on at the left where it ends at the right.`}
      empty={
        shown.length === 0 ? 'Places by time appear here with the first stored cycle. Press play or step.' : undefined
      }
      note={
        first > (all[0]?.cycle ?? 0) && cycleDomain.value === undefined
          ? `The last ${last - first + 1} cycles.`
          : undefined
      }
      table={() => ({
        columns: ['cycle', ...places.map((i) => `${field.symbol} at ${i}`)],
        rows: shown.map(({ cycle, values }) => [cycle, ...values]),
      })}
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
      <HovmollerPlot
        picture={paintRows(shown, { first, last }, range, field.colourMap)}
        rows={shown}
        cycles={{ first, last }}
        range={range}
        field={field}
        summary={`${field.title} of ${title} by place and cycle, from cycle ${first} to ${last}.`}
      />
    </Figure>
  );
}
