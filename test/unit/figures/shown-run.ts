/** A run as the window gives it to its figures: free run, 3D-Var and LETKF, without ensembles’ statistics unless given. */
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { methodStyles, TRUTH_STYLE } from '../../../app/document/views/method-style.ts';
import type { FigureData, ReportedFigures, ShownRun } from '../../../app/figures/figure-data.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

export const STYLES = methodStyles(['free-run', '3dvar', 'letkf'].map((kind) => ({ label: kind, kind, members: 4 })));

/** @param more of the rows, by method */
export function shownRun(
  changes: Partial<ShownRun> = {},
  more: Readonly<Record<string, Partial<CycleDiagnostics>>> = {},
): ShownRun {
  const errors: Readonly<Record<string, number>> = { 'free-run': 4, '3dvar': 2, letkf: 1 };
  const rowsOf = (label: string): CycleDiagnostics[] =>
    [0, 1, 2].map((cycle) => ({ ...diagnosticsRow(label, cycle, { h: errors[label], hu: 1 }), ...more[label] }));
  return {
    styles: STYLES,
    truth: TRUTH_STYLE,
    diagnostics: new Map(STYLES.map(({ label }) => [label, rowsOf(label)])),
    ended: new Set(),
    from: 0,
    to: 2,
    variables: ['h'],
    scenario: undefined,
    basin: undefined,
    spectra: undefined,
    shown: { overlaid: [], highlightedMethod: undefined, highlightedRun: undefined, withFreeRun: true },
    stage: 'analysis',
    difference: '',
    comparison: 'h',
    comparisons: ['h', 'hu'],
    sampledVariable: 'h',
    sampledVariables: ['h'],
    rankedVariable: 'h',
    consistencyMethod: '',
    comparedOctave: 'forecastError',
    comparedScore: 'crps',
    editNote: '',
    overlaidNote: '',
    ...changes,
  };
}

export function reportedRun(run: ShownRun): ReportedFigures {
  return { ...run, along: (points) => points, alongWords: '' };
}

/** @returns the lines of a panel */
export function linesOf(data: FigureData | undefined, panel = 0) {
  const found = data?.panels[panel];
  if (found?.kind !== 'lines') throw new Error('there are no lines');
  return found.series;
}
