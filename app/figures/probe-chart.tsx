/** Time series at pinned points: truth, each method's mean, members behind it, observations with their error. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BasinInfo, ProbeReading, Snapshot, StoredCell } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { TRUTH_STYLE, type MethodStyle } from '../document/views/method-style.ts';
import { type Probe, placeText } from '../document/views/view-state.ts';
import type { DataTable } from '../format/tables.ts';
import { chartsOf, shownLines } from './chart-state.ts';
import { DataFigure } from './drawn-figure.tsx';
import { CYCLE_AXIS, methodLine } from './figure-data.ts';
import { fieldIn, withUnit } from '../fields/fields.ts';
import { formatMeasured } from '../format/numbers.ts';
import type { PlotSeries } from '../plot/layout.ts';
import {
  knownMembers,
  membersAt,
  mergeReadings,
  observationsAt,
  observedCycles,
  storedCellsText,
  openStoredReadings,
} from './probe-series.ts';
import { cellAt } from '../document/run/stored-cells.ts';

interface ProbesProps {
  readonly styles: readonly MethodStyle[];
  readonly probes: readonly Probe[];
  readonly snapshots: readonly Snapshot[];
  readonly basin: BasinInfo | undefined;
  /** What the run recorded, by cell: with the members. */
  readonly recorded: ReadonlyMap<number, readonly ProbeReading[]>;
}

export function ProbeCharts({ styles, probes, snapshots, basin, recorded }: ProbesProps) {
  if (basin === undefined)
    return <p class="figure-empty">Time series at pinned points appear here once a run is open.</p>;
  return (
    <>
      {probes.length === 0 && (
        <p class="figure-empty">
          Click on the {basin.isRing ? 'ring' : 'water'}, or give a place below, to follow truth, members and
          observations there.
        </p>
      )}
      <PinForm basin={basin} />
      {probes.map((probe) => (
        <ProbeChart
          key={probe.id}
          styles={styles}
          probe={probe}
          snapshots={snapshots}
          basin={basin}
          recorded={recorded.get(cellAt(probe, basin)) ?? []}
        />
      ))}
    </>
  );
}

interface PlaceFieldProps {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly most: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

function PlaceField({ name, unit, value, most, step, onChange }: PlaceFieldProps) {
  return (
    <label>
      {name}
      <input
        type="number"
        value={value}
        min={0}
        max={most}
        step={step}
        onInput={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.valueAsNumber)) onChange(currentTarget.valueAsNumber);
        }}
      />
      {unit}
    </label>
  );
}

/** @returns the cell of a place, m from the middle of the first */
function cellUnder(place: number, width: number, cells: number): number {
  return Math.min(cells - 1, Math.max(0, Math.round(place / width)));
}

function PinForm({ basin: { nx, ny, dx, dy, isRing } }: { readonly basin: BasinInfo }) {
  const { toggleProbe } = useRun().view;
  const [x, setX] = useState(Math.floor(nx / 2) * dx);
  const [y, setY] = useState(Math.floor(ny / 2) * dy);
  return (
    <form
      class="pin-form"
      onSubmit={(event) => {
        event.preventDefault();
        toggleProbe({ x: cellUnder(x, dx, nx), y: cellUnder(y, dy, ny) });
      }}
    >
      <PlaceField
        name={isRing ? 'Place' : 'x'}
        unit={isRing ? '' : 'm'}
        value={x}
        most={(nx - 1) * dx}
        step={dx}
        onChange={setX}
      />
      {!isRing && <PlaceField name="y" unit="m" value={y} most={(ny - 1) * dy} step={dy} onChange={setY} />}
      <button type="submit" class="button">
        Pin probe
      </button>
    </form>
  );
}

interface ProbeProps {
  readonly styles: readonly MethodStyle[];
  readonly probe: Probe;
  readonly snapshots: readonly Snapshot[];
  readonly basin: BasinInfo;
  readonly recorded: readonly ProbeReading[];
}

function methodAt({ methods }: ProbeReading, label: string): ProbeReading['methods'][string] | undefined {
  return Object.hasOwn(methods, label) ? methods[label] : undefined;
}

/** NaN represents a member that was not kept. */
function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function table(readings: readonly ProbeReading[], styles: readonly MethodStyle[], basin: BasinInfo): DataTable {
  const { symbol, unit } = fieldIn(basin, 'surface');
  const headed = (text: string): string => withUnit(text, unit);
  const members = styles.map(({ label }) =>
    knownMembers(readings.flatMap((reading) => methodAt(reading, label)?.members ?? [])),
  );
  return {
    columns: [
      'cycle',
      basin.isRing ? 'time' : 'time (s)',
      headed(`truth ${symbol}`),
      ...styles.flatMap(({ title }, index) => [
        headed(`${title}: forecast ${symbol}`),
        headed(`${title}: analysis ${symbol}`),
        ...members[index].map((member) => headed(`${title}: member ${member}`)),
      ]),
    ],
    rows: readings.map((reading) => [
      reading.cycle,
      reading.timeSeconds,
      reading.truth,
      ...styles.flatMap(({ label }, index) => {
        const values = methodAt(reading, label);
        return [
          values?.forecast ?? null,
          values?.analysis ?? null,
          ...members[index].map((member) => numberOrNull(values?.members[member])),
        ];
      }),
    ]),
  };
}

const NONE: ReadonlySet<string> = new Set();
const NO_CELLS: ReadonlyMap<number, StoredCell> = new Map();

/** All readings at a cell: recorded ones with the members, and of cycles before the pin, or in a file, what they have stored. */
function useReadings(
  snapshots: readonly Snapshot[],
  cell: number,
  recorded: readonly ProbeReading[],
  inFile: ReadonlyMap<number, StoredCell>,
): readonly ProbeReading[] {
  const { planeReader } = useRun();
  const reader = planeReader.value;
  const [, setArrivals] = useState(0);
  const stored = useMemo(
    () => openStoredReadings(reader, cell, () => setArrivals((before) => before + 1)),
    [reader, cell],
  );
  useEffect(() => () => stored.close(), [stored]);
  const fromFile = [...inFile.values()].map(({ reading }) => reading);
  const known = new Set([...recorded, ...fromFile].map(({ cycle }) => cycle));
  return mergeReadings(mergeReadings(stored.at(snapshots, known), fromFile), recorded);
}

function ProbeChart({ styles, probe, snapshots, basin, recorded }: ProbeProps) {
  const run = useRun();
  const {
    course: { cycle, recorded: stored },
    view: { toggleProbe },
    storedCells,
  } = run;
  const cell = cellAt(probe, basin);
  const inFile = storedCells.value.cells.get(cell) ?? NO_CELLS;
  const readings = useReadings(snapshots, cell, recorded, inFile);
  const observations = observationsAt(observedCycles(snapshots, inFile), probe, basin.bed[cell]);
  const shown = shownLines({ view: run.view, charts: chartsOf(run) });
  const series: PlotSeries[] = [
    ...styles.map((style) => ({
      ...methodLine(
        { ended: NONE, shown },
        style,
        readings.flatMap(({ cycle, methods }) =>
          Object.hasOwn(methods, style.label) ? [{ x: cycle, y: methods[style.label].analysis }] : [],
        ),
      ),
      ...membersAt(readings, style.label),
    })),
    {
      key: 'truth',
      label: TRUTH_STYLE.title,
      color: TRUTH_STYLE.colour,
      dash: '',
      points: readings.map(({ cycle, truth }) => ({ x: cycle, y: truth })),
    },
    ...(observations.length > 0
      ? [
          {
            key: 'observations',
            label: 'Observed',
            color: 'var(--accent)',
            dash: '',
            points: observations,
            errorBars: observations,
            dots: true,
            unlabelled: true,
          },
        ]
      : []),
  ];
  const place = placeText(basin, probe);
  const { title, symbol, unit } = fieldIn(basin, 'surface');
  const hasLines = series.some(({ bundle = [] }) => bundle.length > 0);
  const hasBand = series.some(({ band = [] }) => band.length > 0);
  const help = [
    `${title} at ${place}.`,
    hasLines && 'Thin lines: members after the analysis.',
    hasBand && 'Bands: from the 5th to the 95th percentile of the members after the analysis.',
    observations.length > 0 && 'Dots: observations ± σₒ.',
    stored.source.value && storedCellsText(stored.source.value, storedCells.value),
  ];
  const current = readings.find((reading) => reading.cycle === cycle.value) ?? readings.at(-1);
  return (
    <DataFigure
      id={`probe-${probe.id}`}
      data={{
        title: `Probe ${probe.id}`,
        help: help.filter(Boolean).join(' '),
        legend: [TRUTH_STYLE, ...styles],
        table: () => table(readings, styles, basin),
        empty: readings.length === 0 ? 'Readings at this point appear with the next cycle.' : undefined,
        note: `${place} · truth ${formatMeasured(current?.truth)} ${unit}`.trim(),
        panels: [
          {
            kind: 'lines',
            summary: `${title} at probe ${probe.id} by cycle: truth and ${styles.map((style) => style.title).join(', ')}.`,
            x: CYCLE_AXIS,
            y: { label: symbol, unit, scale: 'linear' },
            series,
            heightEm: 15.5,
          },
        ],
      }}
      controls={
        <button type="button" class="button" onClick={() => toggleProbe(probe)}>
          Unpin
        </button>
      }
    />
  );
}
