/** The headline of the stage: one sentence that says how the best method does, from the run's own numbers. */
import { isWorseThanFree, listWords, type CycleDiagnostics } from '../../../engine/index.ts';

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

/** Ratios from here to 1 are not worth a headline. */
const ALIKE = 0.93;

/** @returns `about a sixth of`, in words that fit a ratio below 1 to within a tenth of itself, or else in percent */
function shareWords(ratio: number): string {
  const parts = Math.round(1 / ratio);
  const isNear = (value: number): boolean => Math.abs(ratio / value - 1) <= 0.1;
  if (parts >= 2 && parts < PARTS.length && isNear(1 / parts)) return `about ${PARTS[parts]} of`;
  if (isNear(2 / 3)) return 'about two thirds of';
  if (isNear(3 / 4)) return 'about three quarters of';
  return `${Number((100 * ratio).toPrecision(2))} % of`;
}

function meanOf(rows: readonly CycleDiagnostics[], variable: string): number {
  const errors = rows.map(({ rmse }) => rmse.analysis[variable] ?? Number.NaN);
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

/** @returns the variables, observed or not, in which a method is worse than the free run, in words; empty if there are none */
function worseWords(rows: readonly CycleDiagnostics[], free: readonly CycleDiagnostics[]): string {
  const worse = Object.keys(free[0].rmse.analysis).filter((each) =>
    isWorseThanFree(meanOf(rows, each), meanOf(free, each)),
  );
  return worse.length === 0 ? '' : `; worse than the free run in ${listWords(worse, 'and')}`;
}

/**
 * @param variable whose error is compared, as diagnostics name it
 * @returns undefined if there is no free run to compare with, or nothing was counted yet
 */
export function headlineOf(methods: readonly HeadlineMethod[], variable: string): Headline | undefined {
  const free = methods.find(({ isFreeRun }) => isFreeRun);
  const others = methods.filter(({ isFreeRun, rows }) => !isFreeRun && rows.length > 0);
  if (!free || free.rows.length === 0 || others.length === 0) return undefined;
  const freeError = meanOf(free.rows, variable);
  const ratios = others
    .map(({ title, rows }) => ({ title, rows, ratio: meanOf(rows, variable) / freeError }))
    .filter(({ ratio }) => Number.isFinite(ratio))
    .sort((a, b) => a.ratio - b.ratio);
  const [best] = ratios;
  if (!best) return undefined;
  const { rows } = free;
  const [from, to] = [rows[0].cycle, rows.at(-1)?.cycle ?? rows[0].cycle];
  const basis = `Mean error of ${variable} in this run, ${from === to ? `cycle ${to}` : `cycles ${from} to ${to}`}`;
  if (best.ratio >= ALIKE) return { sentence: 'No method is better than the free run yet', basis };
  return {
    sentence: `${best.title}: ${shareWords(best.ratio)} the free run’s error`,
    basis: `${basis}${worseWords(best.rows, rows)}`,
  };
}
