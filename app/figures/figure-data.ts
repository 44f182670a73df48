/**
 * A figure as data: what is drawn over which axes, with its words, its legend and its numbers. Pure functions make it from a run,
 * which a window and a run folder give alike; one renderer draws it in the window, another one in reports.
 */
import type { BandSpectra, BasinInfo, crpsParts, Scenario } from '../../engine/index.ts';
import type { ShownLines } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { MethodDiagnostics, Stage } from '../document/views/series.ts';
import type { DataTable } from '../format/tables.ts';
import { formatQuantity } from '../format/numbers.ts';
import type { BarSpec } from '../plot/bars.ts';
import { type Point, needsDecades, type AxisSpec } from '../plot/scales.ts';
import type { LineStyle, PlotSeries, ReferenceLine } from '../plot/layout.ts';
import type { RunSpectra } from './spectrum.ts';

export const CYCLE_AXIS: AxisSpec = { label: 'Cycle', unit: '', scale: 'linear', whole: true };

/** A line of a figure and its meaning. */
export type LegendEntry = Pick<MethodStyle, 'title' | 'dark' | 'light' | 'dash'>;

/** An axis of values. */
export interface ValueAxis extends Omit<AxisSpec, 'scale'> {
  /** `fitting`: logarithmic if the values take decades. */
  readonly scale: AxisSpec['scale'] | 'fitting';
  /** Below it the axis does not reach: lines are cut off there. */
  readonly lowest?: number;
}

/** Lines, bands and dots over two axes. */
export interface LinePanel {
  readonly kind: 'lines';
  /** What the chart says, in a sentence: its name for those who do not see it. */
  readonly summary: string;
  readonly x: AxisSpec;
  readonly y: ValueAxis;
  readonly series: readonly PlotSeries[];
  readonly references?: readonly ReferenceLine[];
  /** In the window, in sizes of the type. */
  readonly heightEm?: number;
  /** Letters of the longest label in charts below each other. */
  readonly labelLetters?: number;
  /** How an axis is read that is not the one of the cycles, which all charts share. */
  readonly reading?: { readonly nameOf: (x: number) => string; readonly reach?: number };
}

/** Bars over two axes, with what is expected of them. */
export interface BarPanel extends BarSpec {
  readonly kind: 'bars';
  readonly summary: string;
  readonly colour: string;
  /** Whose bars they are, and what they say. */
  readonly name: string;
  readonly words: string;
}

type FigurePanel = LinePanel | BarPanel;

/** Choices that are states of the charts, by name. */
type ChoiceName =
  | 'chosenVariables'
  | 'errorStage'
  | 'difference'
  | 'sampledVariable'
  | 'consistencyMethod'
  | 'comparedOctave'
  | 'comparedScore';

export interface FigureChoice {
  readonly of: ChoiceName;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export type FigureControl = 'zoom' | 'free run' | FigureChoice;

export interface FigureData {
  /** Empty where a caption needs none. */
  readonly title: string;
  /** What is drawn and what it means. */
  readonly help: string;
  readonly panels: readonly FigurePanel[];
  readonly note?: string | undefined;
  /** Instead of the panels: what will appear here and how to make it appear. */
  readonly empty?: string | undefined;
  /** Drawn where a line has no label of its own. */
  readonly legend?: readonly LegendEntry[];
  readonly controls?: readonly FigureControl[];
  readonly table?: () => DataTable;
}

/** A run as its figures are drawn. */
export interface FigureRun {
  /** Methods that are shown, in their order, and the truth, in colours of the medium. */
  readonly styles: readonly MethodStyle[];
  readonly truth: MethodStyle;
  readonly diagnostics: ReadonlyMap<string, MethodDiagnostics>;
  /** Labels of methods that diverged. */
  readonly ended: Pick<ReadonlySet<string>, 'has'>;
  /** First and last cycle that means are over. */
  readonly from: number;
  readonly to: number;
  /** By which the methods are compared. */
  readonly variables: readonly string[];
  /** Undefined before there is a run. */
  readonly scenario: Scenario | undefined;
  readonly basin: BasinInfo | undefined;
  /** Spectra of the states of one cycle; `coming` as long as the fields are read. */
  readonly spectra: RunSpectra | 'coming' | undefined;
  readonly shown: ShownLines;
}

/** A part of the score. */
export type ScoreCurve = keyof NonNullable<ReturnType<typeof crpsParts>>;

/** A run in the window, with what is chosen there. */
export interface ShownRun extends FigureRun {
  readonly stage: Stage | 'both';
  /** The label of the method whose errors are subtracted from those of the others; empty for none. */
  readonly difference: string;
  /** Choices of variables, and the one that is made. */
  readonly comparison: string;
  readonly comparisons: readonly string[];
  readonly sampledVariable: string;
  readonly sampledVariables: readonly string[];
  readonly rankedVariable: string;
  readonly consistencyMethod: string;
  readonly comparedOctave: keyof BandSpectra;
  readonly comparedScore: ScoreCurve;
  /** Sentences on changes during the run, and on overlaid runs that do not match. */
  readonly editNote: string;
  readonly overlaidNote: string;
}

/** A run in a report. */
export interface ReportedFigures extends FigureRun {
  /** Long series have means over stretches of cycles. */
  readonly along: (points: readonly Point[]) => readonly Point[];
  /** The words about these means for captions. */
  readonly alongWords: string;
}

/** A figure of the registry: where it is found by name, and what is drawn. */
export interface FigureEntry {
  readonly id: string;
  /** As the palette has it, with further words; undefined for a figure without a command of its own. */
  readonly name?: string;
  readonly words?: string;
  /** Undefined for a figure that a component draws by hand. */
  readonly inWindow?: (run: ShownRun) => FigureData | undefined;
  readonly inReport?: (run: ReportedFigures) => readonly FigureData[];
}

/** @returns a method's line, drawn back while another method is pointed at */
export function methodLine(
  { ended, shown: { highlightedMethod } }: Pick<FigureRun, 'ended' | 'shown'>,
  { label, title, colour, dash }: MethodStyle,
  points: readonly Point[],
): PlotSeries & { readonly faded: boolean } {
  const faded = highlightedMethod !== undefined && highlightedMethod !== label;
  return { key: label, label: title, color: colour, dash, faded, points, ...(ended.has(label) && { ends: true }) };
}

export function rowsOf({ diagnostics }: FigureRun, { label }: MethodStyle): MethodDiagnostics {
  return diagnostics.get(label) ?? [];
}

/** The overlaid runs in a legend, in the ink of the truth: the colours are the methods'. */
export function overlaidEntries({ truth, shown: { overlaid } }: FigureRun): readonly LegendEntry[] {
  return overlaid.map(({ title, dash }) => ({ ...truth, title, dash }));
}

/** The curves of one method in a legend, and the overlaid runs. */
export function curveEntries(
  run: FigureRun,
  style: MethodStyle,
  curves: readonly (Pick<LineStyle, 'dash'> & { readonly label: string })[],
): readonly LegendEntry[] {
  return [...curves.map(({ label, dash }) => ({ ...style, title: label, dash })), ...overlaidEntries(run)];
}

/** Lines of a label are no longer than this, letters. */
const MOST_LETTERS = 14;
/** An arrow and a space, of a line that leaves its axis. */
const ARROW_LETTERS = 2;

/** @returns letters of the longest label at the ends of the methods' lines, so that charts below each other are aligned */
export function labelLetters({ styles, shown: { overlaid } }: FigureRun): number {
  const lengths = [...styles, ...overlaid].map(({ title }) => title.length);
  return Math.min(MOST_LETTERS, ARROW_LETTERS + Math.max(0, ...lengths));
}

/** @returns the last value of each line, in words */
export function latestOf(series: readonly PlotSeries[], unit: string): string {
  return series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, unit)}`).join(', ');
}

function valuesOf({ series }: LinePanel): readonly number[] {
  return series.flatMap(({ points, outside }) => (outside === true ? [] : points.map(({ y }) => y)));
}

/**
 * @param panels of the same figure of several runs, or a single one
 * @returns the axis of values that they share
 */
export function valueAxis(panels: readonly LinePanel[]): AxisSpec {
  const [{ y }] = panels;
  const { lowest, scale: wanted, ...axis } = y;
  const values = panels.flatMap(valuesOf);
  const scale = wanted !== 'fitting' ? wanted : needsDecades(values) ? 'log' : 'linear';
  const shown = values.filter((value) => Number.isFinite(value) && (scale === 'linear' || value > 0));
  if (lowest !== undefined && shown.some((value) => value < lowest)) {
    return { ...axis, scale, domain: [lowest, Math.max(0, ...shown)] };
  }
  // One panel has its axis from what it draws, with bands and without what lies outside.
  if (panels.length < 2 || shown.length === 0) return { ...axis, scale };
  return { ...axis, scale, include: [Math.min(...shown), Math.max(...shown)] };
}

/** Between the names of a choice of several. */
const AND = ', ';

/** What can be compared: each variable, those observed together, and all of them. */
export function comparisons(variables: readonly string[], observed: readonly string[]): readonly string[] {
  const together = variables.filter((name) => observed.includes(name)).join(AND);
  return [...new Set([...variables, together, variables.join(AND)])].filter((choice) => choice !== '');
}

/** @returns the choice that holds: what was chosen where the run has it, else what is observed, else the first variable */
export function comparisonOf(chosen: string, variables: readonly string[], observed: readonly string[]): string {
  const choices = comparisons(variables, observed);
  if (choices.includes(chosen)) return chosen;
  return variables.filter((name) => observed.includes(name)).join(AND) || (variables[0] ?? '');
}

/** @returns the names of a choice */
export function namesOf(choice: string): readonly string[] {
  return choice === '' ? [] : choice.split(AND);
}

function named(names: readonly string[]): FigureChoice['options'] {
  return names.map((name) => ({ value: name, label: name }));
}

/** By which variables table and charts compare the methods. */
export function variableChoice({
  comparison,
  comparisons,
}: Pick<ShownRun, 'comparison' | 'comparisons'>): FigureChoice {
  const label = 'Variables that are compared';
  return { of: 'chosenVariables', label, value: comparison, options: named(comparisons) };
}

/** The choice of the variable whose members are shown. */
export function sampledVariableChoice({ sampledVariable, sampledVariables }: ShownRun): FigureChoice {
  return { of: 'sampledVariable', label: 'Variable', value: sampledVariable, options: named(sampledVariables) };
}

/** @returns the method that is chosen among those that have what is drawn; undefined if none has */
export function methodOf({ consistencyMethod }: ShownRun, candidates: readonly MethodStyle[]): MethodStyle | undefined {
  return candidates.find(({ label }) => label === consistencyMethod) ?? candidates.at(-1);
}

export function methodChoice(candidates: readonly MethodStyle[], chosen: MethodStyle | undefined): FigureChoice {
  const options = candidates.map(({ label, title }) => ({ value: label, label: title }));
  return { of: 'consistencyMethod', label: 'Method', value: chosen?.label ?? '', options };
}

/** The choice of the curve of a method that other runs are compared with; nothing if there are no such runs. */
export function curveChoice(
  run: ShownRun,
  of: ChoiceName & ('comparedOctave' | 'comparedScore'),
  curves: readonly { readonly of: string; readonly label: string }[],
): readonly FigureChoice[] {
  if (run.shown.overlaid.length === 0) return [];
  const options = curves.map((curve) => ({ value: curve.of, label: curve.label }));
  return [{ of, label: 'Curve to compare with other runs', value: run[of], options }];
}
