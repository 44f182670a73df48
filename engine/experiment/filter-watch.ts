/** Warns of a filter that ignores the observations, and of an inflation that adapts itself and fails. */
import type { CycleDiagnostics } from './events.ts';

/** Below this share of the error the spread says that a filter trusts itself too much. */
const COLLAPSED_SPREAD = 0.2;

/** Cycles that are looked back at. */
const CYCLES = 10;
/** A factor that cannot be a correction of sampling errors. */
const VERY_LARGE = 10;
/** A factor that by itself doubles a variance in four cycles. */
const LARGE = 1.2;
/** A factor at its floor, but for rounding. */
const FLOOR = 1.001;
/** Innovations so many times as large as the stated variances, in the mean of their squares. */
const TOO_LARGE = 2;

interface Watched {
  readonly inflation: number;
  readonly normalisedSquares: number;
  readonly spread: number;
}

/**
 * Watches an inflation that adapts itself. It is one factor for all cells and variables, from innovations where something is
 * observed: under an error of the model it grows, and inflates also what nothing observes, cycle after cycle; or it is held at its
 * floor of 1 although innovations are larger than both errors allow.
 *
 * @param compared variables that methods are compared in
 * @param isGlobal whether it is one factor for all cells; else rows have the mean of those of all places, observed or not
 * @param remedy of an inflation that is too large
 * @returns gives the warning of a cycle's row, or undefined
 */
export function createInflationWatch(
  compared: readonly string[],
  isGlobal: boolean,
  remedy: string,
): (row: CycleDiagnostics) => string | undefined {
  const which = isGlobal ? 'one factor for all cells' : 'the mean of the factors of all cells';
  const latest: Watched[] = [];
  return ({ method, cycle, inflation, innovation, spread, rmse }) => {
    const [variable] = compared;
    if (inflation === undefined || variable === undefined) return undefined;
    const now = spread.analysis[variable];
    const normalisedSquares = innovation?.normalisedSquares ?? Number.NaN;
    const before = latest.slice();
    latest.push({ inflation, normalisedSquares, spread: now });
    if (latest.length > CYCLES) latest.shift();
    const begins = `${method}: at cycle ${cycle} the adapted inflation (${inflation.toPrecision(3)}, ${which})`;
    if (inflation >= VERY_LARGE) return `${begins} diverges: no sampling error is that large. ${remedy}`;
    const isGrowing = latest.length === CYCLES && latest.every((each) => each.inflation >= LARGE);
    const least = Math.min(...before.map((each) => each.spread));
    if (isGrowing && now > 2 * least && now > rmse.analysis[variable]) {
      return (
        `${begins} diverges: the spread of ${variable} (${now.toPrecision(2)}) has doubled in ${CYCLES} cycles and is above ` +
        `its error (${rmse.analysis[variable].toPrecision(2)}), as what is not observed is inflated as well. ${remedy}`
      );
    }
    const isHeld = latest.every((each) => each.inflation <= FLOOR && each.normalisedSquares > TOO_LARGE);
    if (isGlobal && latest.length === CYCLES && isHeld) {
      return (
        `${begins} has collapsed to its floor of 1, though the squares of the innovations are more than ${TOO_LARGE} times what ` +
        `the errors allow. Set inflation or additive inflation by hand, or a larger errorStandardDeviation.`
      );
    }
    return undefined;
  };
}

/** @returns the warning for a user whose filter no longer believes observations, or undefined */
function collapseWarning(
  { method, cycle, rmse, spread }: CycleDiagnostics,
  compared: readonly string[],
): string | undefined {
  const variable = compared.find(
    (name) => name in spread.analysis && !(spread.analysis[name] > COLLAPSED_SPREAD * rmse.analysis[name]),
  );
  if (variable === undefined) return undefined;
  const [found, error] = [spread, rmse].map(({ analysis }) => analysis[variable].toPrecision(2));
  return (
    `${method}: at cycle ${cycle} the spread of ${variable} (${found}) is below a fifth of its error (${error}); ` +
    'the filter ignores observations. Raise inflation or relaxation.'
  );
}

/** Gives the warnings of a cycle's row, each kind once in a run. The spread is looked at after the spin-up. */
export type FilterWatch = (row: CycleDiagnostics, spinup: number) => readonly string[];

/**
 * @param trustsSpread whether the method's spread is what it believes its error to be
 * @param isGlobal, remedy as `createInflationWatch` takes them
 */
export function createFilterWatch({
  compared,
  trustsSpread,
  isGlobal,
  remedy,
}: {
  readonly compared: readonly string[];
  readonly trustsSpread: boolean;
  readonly isGlobal: boolean;
  readonly remedy: string;
}): FilterWatch {
  const watchInflation = createInflationWatch(compared, isGlobal, remedy);
  let [hasCollapsed, isWarned] = [false, false];
  return (row, spinup) => {
    const ofInflation = watchInflation(row);
    const ofSpread = trustsSpread && !hasCollapsed && row.cycle >= spinup ? collapseWarning(row, compared) : undefined;
    const warnings = [ofSpread, isWarned ? undefined : ofInflation].filter((each) => each !== undefined);
    hasCollapsed ||= ofSpread !== undefined;
    isWarned ||= ofInflation !== undefined;
    return warnings;
  };
}
