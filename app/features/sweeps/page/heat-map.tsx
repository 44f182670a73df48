/** The heat map of a measure: its values by colour, with the best cell and those that are not significantly different from it. */
import { useMemo } from 'preact/hooks';
import { useLaboratory } from '../../../page/laboratory.ts';
import type { Arrangement } from '../arrangement.ts';
import type { Cell } from '../cells.ts';
import { cellText, divergedShare } from '../heat-shapes.ts';
import type { Paint } from '../heat-shapes.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { cellWords, counted, findingWords } from '../words.ts';
import { colourNumber, colourOf, needsDarkInkOn, shadingOf } from '../worth.ts';
import type { Shading } from '../worth.ts';
import { CellGrid } from './cell-grid.tsx';
import { HeatLegend, heatLegendEm } from './heat-legend.tsx';
import type { LegendMark } from './heat-legend.tsx';
import { sweepsOf } from '../sweeps-state.ts';

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
