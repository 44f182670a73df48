/**
 * Two summaries over the stage: the error of each method so far, as lines from 0 with the names at their ends, as small as a corner
 * allows; and one sentence that says how the best method does, from the run's own numbers.
 */
import { line, max, scaleLinear } from 'd3';
import { type MethodDiagnostics, rmseSeries, unitOf } from '../../document/views/series.ts';
import type { Phase } from '../../document/views/view-state.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { formatNumber } from '../../format/numbers.ts';
import { placeLabels } from '../../plot/labels.ts';
import { isWorseThanFree, listWords, type CycleDiagnostics } from '../../../engine/index.ts';

/** The picture’s own units; the style sheet says how large it is. */
const WIDTH = 230;
const HEIGHT = 60;
/** Room for the names at the right. */
const NAMES = 62;
/** Height of a line of type. */
const LETTER = 10;
const FOOT = 12;

interface LiveCurveProps {
  readonly styles: readonly MethodStyle[];
  readonly diagnostics: ReadonlyMap<string, MethodDiagnostics>;
  readonly variable: string;
  readonly phase: Phase;
  /** The cycle on screen: lines end there. */
  readonly cycle: number;
  readonly cycles: number;
}

export function LiveCurve({ styles, diagnostics, variable, phase, cycle, cycles }: LiveCurveProps) {
  const lines = styles
    .map((style) => ({
      style,
      points: rmseSeries(diagnostics.get(style.label) ?? [], variable, phase).filter(
        ({ x, y }) => x <= cycle && Number.isFinite(y),
      ),
    }))
    .filter(({ points }) => points.length > 0);
  const most = max(lines.flatMap(({ points }) => points.map(({ y }) => y))) ?? 0;
  if (lines.length === 0 || most <= 0) return null;
  const x = scaleLinear([0, Math.max(1, cycles - 1)], [0, WIDTH - NAMES]);
  const y = scaleLinear([0, most], [HEIGHT - FOOT, 6]);
  const path = line<{ readonly x: number; readonly y: number }>(
    (point) => x(point.x),
    (point) => y(point.y),
  );
  const ends = lines.map(({ points }) => points[points.length - 1]);
  const wanted = lines.map(({ style }, n) => ({ key: style.label, wanted: y(ends[n].y) }));
  const names = placeLabels(wanted, LETTER, LETTER / 2, HEIGHT - LETTER / 2);
  return (
    <svg
      class="stage-curve"
      role="img"
      aria-label={`RMSE of ${variable} of the ${phase} up to cycle ${cycle}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <line class="stage-curve-zero" x1={0} x2={WIDTH - NAMES} y1={y(0)} y2={y(0)} />
      <text class="stage-curve-words" x={0} y={HEIGHT - 2}>
        {`RMSE of ${variable}, 0 to ${formatNumber(most)} ${unitOf(variable)}`}
      </text>
      {lines.map(({ style, points }, n) => (
        <g key={style.label} style={{ color: style.colour }}>
          <path d={path(points) ?? ''} stroke-dasharray={style.dash} />
          <circle cx={x(ends[n].x)} cy={y(ends[n].y)} r={2.4} />
          {names && (
            <text x={x(ends[n].x) + 7} y={names.get(style.label)} dy="0.34em">
              {style.title}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** A method as the headline knows it. */
interface HeadlineMethod {
  readonly title: string;
  readonly isFreeRun: boolean;
  /** Its rows over the cycles that count. */
  readonly rows: readonly CycleDiagnostics[];
}

interface Headline {
  readonly sentence: string;
  /** What the sentence is based on. */
  readonly basis: string;
}

const PARTS = [
  '',
  '',
  'half',
  'a third',
  'a quarter',
  'a fifth',
  'a sixth',
  'a seventh',
  'an eighth',
  'a ninth',
  'a tenth',
];

/** Errors whose ratio is between this and 1 are alike. */
const ALIKE = 0.93;
/** More methods than these are counted in a headline, and not named. */
const MOST_NAMES = 2;

/** @returns `about a sixth of`, in words that fit a ratio below 1 to within a tenth of itself, or else in percent */
function shareWords(ratio: number): string {
  const parts = Math.round(1 / ratio);
  const isNear = (value: number): boolean => Math.abs(ratio / value - 1) <= 0.1;
  if (parts >= 2 && parts < PARTS.length && isNear(1 / parts)) return `about ${PARTS[parts]} of`;
  if (isNear(2 / 3)) return 'about two thirds of';
  if (isNear(3 / 4)) return 'about three quarters of';
  return `${Number((100 * ratio).toPrecision(2))} % of`;
}

function meanOf(rows: readonly CycleDiagnostics[], variable: string, phase: Phase): number {
  const errors = rows.map(({ rmse }) => rmse[phase][variable] ?? Number.NaN);
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

/** @returns the variables, observed or not, in which a method is worse than the free run, in words; empty if there are none */
function worseWords(rows: readonly CycleDiagnostics[], free: readonly CycleDiagnostics[], phase: Phase): string {
  const worse = Object.keys(free[0].rmse[phase]).filter((each) =>
    isWorseThanFree(meanOf(rows, each, phase), meanOf(free, each, phase)),
  );
  return worse.length === 0 ? '' : `worse than the free run in ${listWords(worse, 'and')}`;
}

/** What the headline is of. */
interface HeadlineOptions {
  /** Variable whose error is compared, as diagnostics name it. */
  readonly variable: string;
  /** Whether errors of forecasts or of analyses are compared. */
  readonly phase: Phase;
  /** Whether the spin-up is over: only then is it worth saying that no method is better than the free run. */
  readonly isSettled: boolean;
}

/**
 * @param methods those on screen, and the free run
 * @returns undefined if there is no free run to compare with, or nothing to say yet
 */
export function headlineOf(
  methods: readonly HeadlineMethod[],
  { variable, phase, isSettled }: HeadlineOptions,
): Headline | undefined {
  const free = methods.find(({ isFreeRun }) => isFreeRun);
  const others = methods.filter(({ isFreeRun, rows }) => !isFreeRun && rows.length > 0);
  if (!free || free.rows.length === 0 || others.length === 0) return undefined;
  const freeError = meanOf(free.rows, variable, phase);
  const ratios = others
    .map(({ title, rows }) => ({ title, rows, ratio: meanOf(rows, variable, phase) / freeError }))
    .filter(({ ratio }) => Number.isFinite(ratio))
    .sort((a, b) => a.ratio - b.ratio);
  const [best] = ratios;
  if (!best) return undefined;
  const { rows } = free;
  const [from, to] = [rows[0].cycle, rows.at(-1)?.cycle ?? rows[0].cycle];
  const what = phase === 'forecast' ? 'Mean error of the forecasts' : 'Mean error';
  const basis = `${what} of ${variable} in this run, ${from === to ? `cycle ${to}` : `cycles ${from} to ${to}`}`;
  if (best.ratio >= ALIKE) {
    if (!isSettled) return undefined;
    const whose = ratios.length === 1 ? `${best.title} is no` : 'No method is';
    return { sentence: `${whose} better than the free run`, basis };
  }
  // One run says little about which of two is better that are so close.
  const alike = ratios.filter(({ ratio }) => best.ratio / ratio >= ALIKE);
  const names =
    alike.length > MOST_NAMES
      ? `${alike.length} methods`
      : listWords(
          alike.map(({ title }) => title),
          'and',
        );
  const worse = alike.flatMap((each) => {
    const words = worseWords(each.rows, rows, phase);
    if (words === '') return [];
    return [alike.length === 1 ? words : `${each.title} ${words}`];
  });
  return {
    sentence: `${names}: ${shareWords(best.ratio)} the free run’s error`,
    basis: [basis, ...worse].join('; '),
  };
}
