/** Heat maps: of a measure, with the best cell and those not significantly different from it; and of which method is best where. */
import { useMemo } from 'preact/hooks';
import { useLaboratory } from '../../../page/laboratory.ts';
import type { Cell } from '../cells.ts';
import { cellText, divergedShare, type Paint } from '../heat-shapes.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { cellWords, counted, findingWords, combinationWords } from '../words.ts';
import { colourNumber, colourOf, needsDarkInkOn, shadingOf, needsDarkInk, type Shading } from '../worth.ts';
import { CellGrid, type LegendRoom } from './cell-grid.tsx';
import { HeatLegend, heatLegendEm, LegendMarks, placeMarks, type LegendMark } from './heat-legend.tsx';
import { sweepsOf } from '../sweeps-state.ts';
import type { MethodStyle } from '../../../document/views/method-style.ts';
import { sweepStyles, type Arrangement } from '../arrangement.ts';
import { contestLines, contestWord, type Contest } from '../contest.ts';

interface HeatMapProps {
  readonly table: SweepTable;
  readonly arrangement: Arrangement;
  readonly onOpen: (combination: number) => void;
}

/** What is drawn of each cell. */
function paintsOf(cells: readonly Cell[], shading: Shading): Paint[] {
  return cells.map((cell) => {
    const colour = cell.median === null ? undefined : colourNumber(shading, cell.median);
    return {
      ink:
        colour === undefined ? undefined : { colour: colourOf(shading, colour), dark: needsDarkInkOn(shading, colour) },
      text: cellText(cell),
      hatched: divergedShare(cell),
    };
  });
}

/** The marks that this map has, with their words. */
function marksOf(cells: readonly Cell[], arrangement: Arrangement, hasAlike: boolean, hasTaken: boolean): LegendMark[] {
  const isUntried = arrangement.facets.some(({ rows }) => rows.some((row) => row.includes(undefined)));
  return [
    { kind: 'best', words: 'best' },
    ...(hasAlike ? [{ kind: 'alike', words: 'not significantly different from the best' } as const] : []),
    ...(hasTaken ? [{ kind: 'taken', words: 'taken for the scenario' } as const] : []),
    ...(cells.some(({ diverged }) => diverged > 0)
      ? [{ kind: 'hatched', words: 'diverged, by share of the seeds' } as const]
      : []),
    ...(isUntried ? [{ kind: 'untried', words: 'not tried' } as const] : []),
  ];
}

/** @returns the combination that a row is of */
function combinationOfRow(combinations: readonly { readonly rows: readonly number[] }[], row: number | undefined) {
  const found = combinations.findIndex(({ rows }) => row !== undefined && rows.includes(row));
  return found < 0 ? undefined : found;
}

export function HeatMap({ table, arrangement, onOpen }: HeatMapProps) {
  const { cells, combinations, subject, findings } = sweepsOf(useLaboratory());
  const measure = table.measures[subject.value.measure];
  const shading = useMemo(() => {
    const values = cells.value.flatMap(({ median }) => median ?? []);
    return shadingOf(measure.best, values);
  }, [measure, cells.value]);
  const paints = useMemo(() => paintsOf(cells.value, shading), [cells.value, shading]);
  const { best, alike = new Set<number>() } = findings.value ?? {};
  const found = combinationOfRow(combinations.value, table.taken);
  const taken = found === best ? undefined : found;
  const marks = marksOf(cells.value, arrangement, alike.size > 0, taken !== undefined);
  const told = {
    table,
    combinations: combinations.value,
    cells: cells.value,
    unit: measure.unit,
  };
  const axes = [arrangement.x, arrangement.y].flatMap((axis) => axis?.title ?? []).join(' and ');
  const grids = arrangement.facets.length;
  return (
    <CellGrid
      summary={`Heat map of ${measure.title}, ${table.methods[subject.value.method]}, by ${axes || 'nothing'}${grids > 1 ? `, ${counted(grids, 'grid')}` : ''}. ${findings.value ? findingWords(told, findings.value) : ''}`}
      arrangement={arrangement}
      paints={paints}
      legend={(room) => <HeatLegend {...room} shading={shading} measure={measure} marks={marks} />}
      legendEm={(widthEm) => heatLegendEm(marks, widthEm)}
      wordsOf={(combination) => cellWords(told, combination)}
      best={best}
      alike={alike}
      taken={taken}
      onOpen={onOpen}
    />
  );
}

interface MethodMapProps {
  readonly table: SweepTable;
  readonly arrangement: Arrangement;
  readonly contests: readonly Contest[];
  readonly onOpen: (combination: number) => void;
}

function isDarkInkOn(hex: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return needsDarkInk(red, green, blue);
}

function methodPaintsOf(
  contests: readonly Contest[],
  styles: readonly MethodStyle[],
  theme: 'dark' | 'light',
): Paint[] {
  return contests.map((contest) => {
    const { leader, verdict } = contest;
    const isNamed = verdict === 'won' || verdict === 'alone';
    const colour = isNamed && leader !== undefined ? styles[leader][theme] : undefined;
    return {
      ink: colour === undefined ? undefined : { colour, dark: isDarkInkOn(colour) },
      text: contestWord(contest, styles),
      hatched: 0,
    };
  });
}

/**
 * Which method is best where: a cell has the hue of the one that is better than each of the others, and none if no difference is
 * significant.
 */
export function MethodMap({ table, arrangement, contests, onOpen }: MethodMapProps) {
  const {
    preferences: { resolvedTheme },
  } = useLaboratory();
  const { combinations } = sweepsOf(useLaboratory());
  const styles = useMemo(() => sweepStyles(table), [table]);
  const theme = resolvedTheme.value;
  const paints = useMemo(() => methodPaintsOf(contests, styles, theme), [contests, styles, theme]);
  const named = new Set(
    contests.flatMap(({ leader, verdict }) => (verdict === 'won' || verdict === 'alone' ? [leader] : [])),
  );
  const marks: LegendMark[] = [
    ...styles.flatMap(({ title, ...style }, method) =>
      named.has(method) ? [{ kind: 'colour', words: `${title} is best`, colour: style[theme] } as const] : [],
    ),
    ...(contests.some(({ verdict }) => verdict === 'undecided')
      ? [{ kind: 'empty', words: 'undecided: not better than each of the others' } as const]
      : []),
    ...(contests.some(({ verdict }) => verdict === 'too-few')
      ? [{ kind: 'empty', words: 'too few seeds to say' } as const]
      : []),
  ];
  const axes = [arrangement.x, arrangement.y].flatMap((axis) => axis?.title ?? []).join(' and ');
  return (
    <CellGrid
      summary={`Which method is best by ${axes || 'nothing'}: ${[...named].map((method) => (method === undefined ? '' : `${styles[method].title} in ${contests.filter(({ leader, verdict }) => leader === method && verdict === 'won').length}`)).join(', ') || 'none is named in any'} of ${contests.length} cells.`}
      arrangement={arrangement}
      paints={paints}
      legend={(room) => <MethodLegend {...room} marks={marks} />}
      legendEm={(widthEm) => placeMarks(marks, widthEm).height + 0.2}
      wordsOf={(combination) =>
        [
          combinationWords(table, combinations.value[combination]),
          contestWord(contests[combination], styles),
          ...contestLines(contests[combination], styles, ''),
        ].join('; ')
      }
      onOpen={onOpen}
    />
  );
}

function MethodLegend({ marks, width, em, hatch }: LegendRoom & { readonly marks: readonly LegendMark[] }) {
  return (
    <g aria-hidden="true">
      <LegendMarks marks={placeMarks(marks, width / em).marks} origin={{ x: 0, y: 0.2 * em }} em={em} hatch={hatch} />
    </g>
  );
}
