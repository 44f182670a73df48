/** Truth, analyses and errors as maps, at chosen cycles, with ranges that are shared by all of them. */
import { measured, rounded, joinRanges, type Range } from '../../fields/ranges.ts';
import type { ColourMapName, FieldScale } from '../../fields/field.ts';
import { dryDepth, isWet } from '../../document/views/field-values.ts';
import { fieldIn, withUnit } from '../../fields/fields.ts';
import { isFreeRun, TRUTH_STYLE, type MethodStyle } from '../../document/views/method-style.ts';
import { formatModelTime, formatNumber, formatQuantity } from '../../format/numbers.ts';
import type { PlotSeries } from '../../plot/layout.ts';
import { drawnFigure, figure, figures, swatch } from '../figures/plot.ts';
import { colourBar, mapSvg } from '../figures/map.ts';
import { colourOf } from '../style.ts';
import { html, type Markup } from '../markup.ts';
import { headOf, type Report, type Section } from '../report.ts';
import type { ReportedRun, CycleState, MethodState, Plane } from '../run/reported-run.ts';

/** A row of maps, one for each cycle. */
interface MapRow {
  readonly style: MethodStyle;
  /** What of it is seen: `error`; undefined of the truth. */
  readonly what: string | undefined;
  /** Undefined in cycles that have none. */
  readonly plane: (state: CycleState) => Plane | undefined;
  readonly isMarked?: boolean;
  /** Omitted of the range that is shared: what is far larger than all that is compared. */
  readonly outside?: boolean;
}

/** Rows that share a range. */
interface MapGroup {
  readonly field: 'surface' | 'error' | 'increment' | 'spread';
  readonly caption: string;
  readonly rows: readonly MapRow[];
}

function methodOf({ methods }: CycleState, { label }: MethodStyle): MethodState | undefined {
  return methods.find((method) => method.label === label);
}

function minus(a: Plane | undefined, b: Plane | undefined): Plane | undefined {
  return a && b && a.map((value, cell) => value - b[cell]);
}

function groupsOf({ styles }: ReportedRun): readonly MapGroup[] {
  const rows = (what: string, plane: (state: CycleState, style: MethodStyle) => Plane | undefined): MapRow[] =>
    styles.map((style) => ({
      style,
      what,
      plane: (state) => plane(state, style),
      outside: isFreeRun(style.kind),
    }));
  return [
    {
      field: 'surface',
      caption: 'Surface height of the truth, with the places that were observed, and of the methods’ analyses.',
      rows: [
        { style: TRUTH_STYLE, what: undefined, plane: ({ truth }) => truth, isMarked: true },
        ...rows('analysis', (state, style) => methodOf(state, style)?.analysis),
      ],
    },
    {
      field: 'error',
      caption: 'Error of the analyses: surface height of the method’s mean minus that of the truth.',
      rows: rows('error', (state, style) => minus(methodOf(state, style)?.analysis, state.truth)),
    },
    {
      field: 'increment',
      caption: 'Increments: surface height of the analysis minus that of the forecast.',
      rows: rows('increment', (state, style) => {
        const found = methodOf(state, style);
        return isFreeRun(style.kind) ? undefined : minus(found?.analysis, found?.forecast);
      }),
    },
    {
      field: 'spread',
      caption: 'Spread of the ensembles after the analysis: standard deviation of surface height over the members.',
      rows: rows('spread', (state, style) => methodOf(state, style)?.spread),
    },
  ];
}

type IsWater = (state: CycleState) => (cell: number) => boolean;

/** Land is where the truth has none. */
function waterOf({ basin }: ReportedRun): IsWater {
  const dry = dryDepth(basin.bed);
  return ({ truth }) =>
    (cell) =>
      isWet(basin, cell, truth[cell], dry);
}

/** Cells that a range is taken from, about. */
const SAMPLED_CELLS = 20_000;
const STRIDES = [1, 3, 7, 17, 37, 79, 163, 331, 673, 1361] as const;

/** @returns values of the water, of some of the cells where they are many; a prime stride meets every column */
function sampled(plane: Plane, isWater: (cell: number) => boolean): Float64Array {
  const stride = STRIDES.findLast((each) => each * SAMPLED_CELLS <= plane.length) ?? 1;
  const values: number[] = [];
  for (let cell = 0; cell < plane.length; cell += stride) if (isWater(cell)) values.push(plane[cell]);
  return Float64Array.from(values);
}

/** @returns the range of all that is shown of these rows, in whichever run */
function rangeOf(
  planes: readonly { readonly row: MapRow; readonly plane: Plane; readonly isWater: (cell: number) => boolean }[],
  scale: FieldScale,
): Range {
  const judged = planes.some(({ row }) => row.outside !== true)
    ? planes.filter(({ row }) => row.outside !== true)
    : planes;
  const found = judged.flatMap(({ plane, isWater }) => {
    const range = measured(sampled(plane, isWater), scale);
    return range ? [range] : [];
  });
  return rounded(joinRanges(found), scale);
}

/** More are not kept together on paper. */
const MOST_ROWS_OF_A_PAGE = 5;

interface Panel {
  readonly run: ReportedRun;
  readonly group: MapGroup;
}

function planesOf({ run, group }: Panel) {
  const isWater = waterOf(run);
  return (run.states?.states ?? []).flatMap((state) =>
    group.rows.flatMap((row) => {
      const plane = row.plane(state);
      return plane ? [{ row, state, plane, isWater: isWater(state) }] : [];
    }),
  );
}

/** Least, largest and root mean square over the water: for those who do not see a map. */
function numbersOf(plane: Plane, isWater: (cell: number) => boolean, unit: string): string {
  const values = plane.filter((value, cell) => isWater(cell) && Number.isFinite(value));
  if (values.length === 0) return 'no water';
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  const square = values.reduce((sum, value) => sum + value * value, 0) / values.length;
  return `from ${formatQuantity(low, unit)} to ${formatQuantity(high, unit)}, root mean square ${formatQuantity(Math.sqrt(square), unit)}`;
}

function timeOf({ scenario, basin }: ReportedRun, { cycle }: CycleState): string {
  const { text, unit } = formatModelTime((cycle + 1) * scenario.experiment.window, basin);
  return unit === '' ? text : `${text} ${unit}`;
}

function panelFigure(panel: Panel, range: Range, head: string | undefined): Markup | undefined {
  const { run, group } = panel;
  const { title, unit, colourMap } = fieldIn(run.basin, group.field);
  const planes = planesOf(panel);
  if (planes.length === 0) return undefined;
  const states = run.states?.states ?? [];
  const rows = group.rows.flatMap((row) => {
    const own = planes.filter((each) => each.row === row);
    return own.length === 0 ? [] : [mapRow(run, row, own, { range, map: colourMap, title, unit })];
  });
  const heads = states.map((state) => html`<li>Cycle ${state.cycle}<span>${timeOf(run, state)}</span></li>`);
  return figure(
    html`<div class="${states.length === 1 ? 'maps single' : 'maps'}">
        <ol class="map-heads" aria-hidden="true">
          ${heads}
        </ol>
        ${rows}
      </div>
      ${colourBar(colourMap, range, withUnit(title, unit))}`,
    {
      caption: html`${head !== undefined && html`<b>${head}.</b> `}${group.caption} ${rangeWords(group, planes)}`,
      wide: true,
      long: rows.length > MOST_ROWS_OF_A_PAGE,
    },
  );
}

/** What the colours are of. */
function rangeWords({ field }: MapGroup, planes: ReturnType<typeof planesOf>): string {
  const isOutside = field !== 'surface' && planes.some(({ row }) => row.outside === true);
  return isOutside ? 'One range for all; it is not widened for the free run.' : 'One range for all.';
}

interface MapLooks {
  readonly range: Range;
  readonly map: ColourMapName;
  readonly title: string;
  readonly unit: string;
}

function mapRow(run: ReportedRun, row: MapRow, planes: ReturnType<typeof planesOf>, looks: MapLooks): Markup {
  const { range, map, title, unit } = looks;
  const cells = (run.states?.states ?? []).map((state) => {
    const found = planes.find((each) => each.state === state);
    if (!found) return html`<li class="absent">none</li>`;
    const { plane, isWater } = found;
    const summary = `${title}, ${row.style.title} in cycle ${state.cycle}: ${numbersOf(plane, isWater, unit)}.`;
    const marks = row.isMarked ? state.observed : undefined;
    const picture = mapSvg({ grid: run.basin, values: plane, isWater, range, map, summary, ...(marks && { marks }) });
    return html`<li>${picture}<span class="map-cycle">Cycle ${state.cycle}</span></li>`;
  });
  return html`<div class="map-row">
    <p>${swatch(row.style)}${row.style.title}${row.what !== undefined && html`<span>${row.what}</span>`}</p>
    <ol>
      ${cells}
    </ol>
  </div>`;
}

function lengthsOf({ basin: { nx, ny, dx, dy } }: ReportedRun): string {
  return `${nx} × ${ny} cells of ${formatNumber(dx)} m × ${formatNumber(dy)} m`;
}

/** What the maps are of, and how there would be more of them. */
function origin(run: ReportedRun): string {
  if (run.states?.origin === 'fields') return `Seen from above, y upwards: ${lengthsOf(run)}.`;
  return `Seen from above, y upwards: ${lengthsOf(run)}. The folder keeps the state of its last checkpoint alone; a run with --fields mean keeps those of all cycles, and its report shows several of them.`;
}

function ringLine({ label, title, dash, ...shades }: MethodStyle, plane: Plane): PlotSeries {
  const points = Array.from(plane, (y, x) => ({ x, y }));
  return { key: label, label: title, color: colourOf(shades), dash, points, unlabelled: true };
}

/** The states of a ring, which has one dimension: the variables round it. */
function ringFigures({ states, styles }: ReportedRun, head: string | undefined): Markup {
  const drawn = (states?.states ?? []).map(({ cycle, truth, methods }) => {
    const found = methods.flatMap(({ label, analysis }) => {
      const style = styles.find((each) => each.label === label);
      return style ? [ringLine(style, analysis)] : [];
    });
    const panel = {
      kind: 'lines' as const,
      summary: `The variables round the ring in cycle ${cycle}: truth and analyses.`,
      x: { label: 'Place on the ring', unit: '', scale: 'linear' as const, whole: true },
      y: { label: 'x', unit: '', scale: 'linear' as const },
      series: [ringLine(TRUTH_STYLE, truth), ...found],
    };
    const help = `Truth and analyses round the ring in cycle ${cycle}.`;
    return drawnFigure({ title: '', help, panels: [panel], legend: [TRUTH_STYLE, ...styles] }, head);
  });
  return figures(drawn);
}

export function mapsSection(report: Report): Section | undefined {
  const runs = report.figured.filter(({ states }) => states !== undefined);
  const [first] = runs;
  if (!first) return undefined;
  const basins = runs.filter(({ basin }) => basin.isRing !== true);
  const panels = basins.map((run) => groupsOf(run).map((group) => ({ run, group })));
  const drawn = (panels[0] ?? []).flatMap((_, index) => {
    const beside = panels.map((own) => own[index]);
    const { scale } = fieldIn(first.basin, beside[0].group.field);
    const range = rangeOf(beside.flatMap(planesOf), scale);
    return beside.map((panel) => panelFigure(panel, range, headOf(report, panel.run)));
  });
  const rings = runs.filter(({ basin }) => basin.isRing === true).map((run) => ringFigures(run, headOf(report, run)));
  const notes = [...new Set(basins.map(origin))].map((words) => html`<p class="note">${words}</p>`);
  return { id: 'maps', title: 'Fields', body: html`${notes}${drawn}${rings}` };
}
