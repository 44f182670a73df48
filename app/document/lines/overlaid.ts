/**
 * Other runs in the charts over cycles: their lines beside those of the run on screen, thin, dashed as the run has it, in the
 * colours of the methods. Methods are matched by their labels, cycles by model time.
 */
import { computed, signal } from '@preact/signals';
import type { BasinInfo, CycleDiagnostics } from '../../../engine/index.ts';
import { type MethodStyle, isFreeRun } from '../views/method-style.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { Point } from '../../plot/scales.ts';
import type { PlotSeries } from '../../plot/layout.ts';
import type { MethodDiagnostics } from '../views/series.ts';

/** Times the largest of the others' sizes up to which the free run is let in: they keep two thirds of the axis. */
const NEAR = 1.5;

function largest(series: readonly PlotSeries[]): number {
  return Math.max(...series.flatMap(({ points }) => points.map(({ y }) => Math.abs(y)).filter(Number.isFinite)));
}

/**
 * @param styles of the methods, by the keys of their series
 * @returns the series with those of the free run marked as outside, if there are others
 */
export function leaveOutFreeRun(
  series: readonly PlotSeries[],
  styles: readonly Pick<MethodStyle, 'label' | 'kind'>[],
  isAsked: boolean,
): readonly PlotSeries[] {
  const free = new Set(styles.filter(({ kind }) => isFreeRun(kind)).map(({ label }) => label));
  const others = series.filter(({ key }) => !free.has(key));
  if (isAsked || others.length === 0) return series;
  if (largest(series.filter(({ key }) => free.has(key))) <= NEAR * largest(others)) return series;
  return series.map((one) => {
    if (!free.has(one.key)) return one;
    // Its band, cut off at the top, would only cover the others.
    const { band: _band, ...line } = one;
    return { ...line, outside: true };
  });
}

/** What lengths of waves are read off: the cells of a basin, and how it is closed. */
export type SpectralCells = Pick<BasinInfo, 'nx' | 'ny' | 'dx' | 'dy' | 'periodicX' | 'periodicY' | 'isRing'>;

/** A run whose curves are laid over those of the run on screen. */
export interface OverlaidRun {
  /** Unique among those that are overlaid. */
  readonly id: string;
  /** Short, as at the ends of its lines: `radius 8`. */
  readonly title: string;
  /** SVG stroke-dasharray of all its lines. */
  readonly dash: string;
  /** By method label, in cycle order. */
  readonly diagnostics: ReadonlyMap<string, MethodDiagnostics>;
  /** Styles of its methods, in its scenario's order. */
  readonly styles: readonly MethodStyle[];
  /** By method label the cycle in which it diverged. */
  readonly diverged: ReadonlyMap<string, number>;
  /** Undefined as long as its basin is not known. */
  readonly cells: SpectralCells | undefined;
}

/** What lays runs over the charts: read again whenever what it reads changes. */
export type OverlaidSource = () => readonly OverlaidRun[];

/** Seconds of model time from analysis to analysis; undefined of a run without rows. */
function windowOf(diagnostics: OverlaidRun['diagnostics']): number | undefined {
  for (const [first] of diagnostics.values()) {
    if (first) return first.timeSeconds / (first.cycle + 1);
  }
  return undefined;
}

/** Relative difference of two cycle lengths that is rounding. */
const ROUNDING = 1e-9;

function sameLength(a: number, b: number): boolean {
  return Math.abs(a - b) <= ROUNDING * Math.max(a, b);
}

/** @returns the run with cycles as they are counted on an axis of cycles of `window` seconds: not whole where its own are others */
function onAxis(run: OverlaidRun, window: number | undefined): OverlaidRun {
  const own = windowOf(run.diagnostics);
  if (window === undefined || own === undefined || sameLength(own, window)) return run;
  const moved = (row: CycleDiagnostics): CycleDiagnostics => ({ ...row, cycle: row.timeSeconds / window - 1 });
  return {
    ...run,
    diagnostics: new Map([...run.diagnostics].map(([label, rows]) => [label, rows.map(moved)])),
    diverged: new Map([...run.diverged].map(([label, cycle]) => [label, ((cycle + 1) * own) / window - 1])),
  };
}

function titles(found: readonly MethodStyle[]): string {
  return found.map(({ title }) => title).join(', ');
}

/** @returns what of a run does not match the run on screen, as sentences */
function misfitsOf(run: OverlaidRun, styles: readonly MethodStyle[], window: number | undefined): string[] {
  const own = windowOf(run.diagnostics);
  if (own === undefined) return [`${run.title} has no cycles yet.`];
  const there = run.styles.filter(({ label }) => !styles.some((style) => style.label === label));
  const missing = styles.filter(({ label }) => !run.styles.some((style) => style.label === label));
  return [
    ...(window !== undefined && !sameLength(own, window)
      ? [`${run.title} has cycles of ${Number(own.toPrecision(6))} s, drawn by model time.`]
      : []),
    ...(there.length > 0 ? [`Only in ${run.title}: ${titles(there)}.`] : []),
    ...(missing.length > 0 ? [`Not in ${run.title}: ${titles(missing)}.`] : []),
  ];
}

/** @returns the runs, a title that several have numbered from the second on: they distinguish columns and lines */
function withOwnTitles(runs: readonly OverlaidRun[]): readonly OverlaidRun[] {
  return runs.map((run, index) => {
    const before = runs.slice(0, index).filter(({ title }) => title === run.title).length;
    return before === 0 ? run : { ...run, title: `${run.title} (${before + 1})` };
  });
}

/** What is drawn over the charts of one run. */
export function createOverlaid({ info, styles }: Pick<RunCourse, 'info' | 'styles'>) {
  const sources = signal<readonly OverlaidSource[]>([]);
  const given = computed<readonly OverlaidRun[]>(() => withOwnTitles(sources.value.flatMap((source) => source())));
  const window = computed(() => info.value?.scenario.experiment.window);
  /** On the axis of cycles of the run on screen; a method that it has, too, looks as it does there. */
  const overlaid = computed<readonly OverlaidRun[]>(() => {
    const own = new Map(styles.value.map((style) => [style.label, style]));
    return given.value.map((run) => ({
      ...onAxis(run, window.value),
      styles: run.styles.map((style) => own.get(style.label) ?? style),
    }));
  });
  /** What of them does not match, in sentences; empty where all does. */
  const overlaidNote = computed(() =>
    given.value.flatMap((run) => misfitsOf(run, styles.value, window.value)).join(' '),
  );
  /** Methods of overlaid runs that the run on screen does not have. */
  const furtherStyles = computed<readonly MethodStyle[]>(() => {
    const known = new Set(styles.value.map(({ label }) => label));
    const found = overlaid.value.flatMap((run) => run.styles);
    return found.filter(({ label }) => !known.has(label) && known.add(label));
  });
  /** The id of the run that is pointed at in the legend. */
  const highlightedRun = signal<string | undefined>(undefined);

  /** Lays runs over the charts. @returns what takes them away */
  function overlay(source: OverlaidSource): () => void {
    sources.value = [...sources.value, source];
    return () => {
      sources.value = sources.value.filter((each) => each !== source);
    };
  }

  return { overlaid, overlaidNote, furtherStyles, highlightedRun, overlay };
}

/** The runs that are drawn over a figure, and what draws its lines back. */
export interface ShownLines {
  /** Without methods that are hidden. */
  readonly overlaid: readonly OverlaidRun[];
  /** The label of the method that is pointed at, and the id of the run. */
  readonly highlightedMethod: string | undefined;
  readonly highlightedRun: string | undefined;
  /** Whether axes of errors reach up to the free run. */
  readonly withFreeRun: boolean;
}

/** @returns the overlaid runs with those of their methods that are not hidden */
export function withoutHidden(overlaid: readonly OverlaidRun[], hidden: ReadonlySet<string>): readonly OverlaidRun[] {
  return overlaid.map((run) => ({ ...run, styles: run.styles.filter(({ label }) => !hidden.has(label)) }));
}

/** The rows of a method, of the run on screen or of one that is overlaid. */
interface MethodRows {
  /** The method, and the run where it is not the one on screen: `LETKF, radius 8`. */
  readonly title: string;
  readonly rows: MethodDiagnostics;
  /** Undefined for the run on screen. */
  readonly run: OverlaidRun | undefined;
}

/** @returns all that a table of a figure has rows of: the methods of the run on screen, then those of the overlaid runs */
export function methodRows(
  { styles, diagnostics }: Pick<OverlaidRun, 'styles' | 'diagnostics'>,
  overlaid: readonly OverlaidRun[],
): readonly MethodRows[] {
  return [
    ...styles.map(({ label, title }) => ({ title, rows: diagnostics.get(label) ?? [], run: undefined })),
    ...overlaid.flatMap((run) =>
      run.styles.map(({ label, title }) => ({
        title: `${title}, ${run.title}`,
        rows: run.diagnostics.get(label) ?? [],
        run,
      })),
    ),
  ];
}

/** A line of an overlaid run, and of which kind of method it is. */
interface OverlaidLine {
  readonly series: PlotSeries;
  /** Identifies the run. */
  readonly id: string;
  readonly kind: string;
}

type PointsOf = (rows: MethodDiagnostics, run: OverlaidRun) => readonly Point[];

/** @returns a line for each method of each overlaid run that is shown and has points */
function linesWithKinds(shown: ShownLines, pointsOf: PointsOf): readonly OverlaidLine[] {
  const { overlaid, highlightedMethod: method, highlightedRun: pointed } = shown;
  return overlaid.flatMap((run) => {
    const { id, title, dash, diagnostics, styles, diverged } = run;
    return styles.flatMap(({ label, kind, title: name, colour }): OverlaidLine[] => {
      const points = pointsOf(diagnostics.get(label) ?? [], run);
      if (points.length === 0) return [];
      const faded = (method !== undefined && method !== label) || (pointed !== undefined && pointed !== id);
      const series: PlotSeries = {
        key: `${id} ${label}`,
        label: `${name}, ${title}`,
        endLabel: title,
        color: colour,
        dash,
        thin: true,
        beside: label,
        faded,
        points,
        ...(diverged.has(label) && { ends: true }),
      };
      return [{ series, id, kind }];
    });
  });
}

/** @returns a line for each method of each overlaid run that is shown and has points, thin, beside the method's own */
export function overlaidLines(shown: ShownLines, pointsOf: PointsOf): readonly PlotSeries[] {
  return linesWithKinds(shown, pointsOf).map(({ series }) => series);
}

/**
 * For a figure that draws several curves of one method: the overlaid runs beside one of them.
 *
 * @param method its label
 * @param curve the line of the run on screen that they are beside
 */
export function overlaidCurve(
  shown: ShownLines,
  method: string,
  curve: Pick<PlotSeries, 'key' | 'label'>,
  pointsOf: PointsOf,
): readonly PlotSeries[] {
  const pointed = shown.highlightedRun;
  const lines = linesWithKinds(shown, (rows, run) => (rows[0]?.method === method ? pointsOf(rows, run) : []));
  return lines.map(({ series, id }) => ({
    ...series,
    key: `${series.key} ${curve.key}`,
    label: `${curve.label}, ${series.endLabel ?? series.label}`,
    beside: curve.key,
    // One method is drawn, whichever is pointed at.
    faded: pointed !== undefined && pointed !== id,
  }));
}

/** @returns which runs have means over a part of the cycles only, in sentences; empty where all have them all */
export function overlaidSpans(overlaid: readonly OverlaidRun[], from: number, to: number): string {
  const sentences = overlaid.flatMap(({ title, diagnostics }) => {
    const cycles = [...diagnostics.values()].flatMap((rows) => rows.map(({ cycle }) => cycle));
    const counted = cycles.filter((cycle) => cycle >= from && cycle <= to);
    if (counted.length === 0) return cycles.length === 0 ? [] : [`${title} has none of cycles ${from} to ${to}.`];
    // Cycles of another length are not whole.
    const [first, last] = [Math.ceil(Math.min(...counted)), Math.floor(Math.max(...counted))];
    return first <= from && last >= to ? [] : [`Means of ${title} are over cycles ${first} to ${last}.`];
  });
  return sentences.join(' ');
}

/**
 * @param own a line for each method of the run on screen, with the method's label as its key
 * @param styles of those methods
 * @param pointsOf the same line of another run
 * @returns them with those of the overlaid runs; lines of the free run are omitted from the axis unless asked for
 */
export function withOverlaid(
  shown: ShownLines,
  own: readonly PlotSeries[],
  styles: readonly MethodStyle[],
  pointsOf: PointsOf,
): readonly PlotSeries[] {
  const others = linesWithKinds(shown, pointsOf);
  const kinds = others.map(({ series, kind }) => ({ label: series.key, kind }));
  const all = [...own, ...others.map(({ series }) => series)];
  return leaveOutFreeRun(all, [...styles, ...kinds], shown.withFreeRun);
}
