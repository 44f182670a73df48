/** A sweep that is open: what is drawn of it, the figure, and what the cell that is pointed at has. */
import { useMemo } from 'preact/hooks';
import { Figure } from '../../../figures/figure.tsx';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { championsOf, championWords, whyNoContest } from '../contest.ts';
import { contestTable, mapTable, measureTitle } from '../map-table.ts';
import { sweepStyles } from '../methods.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { findingWords } from '../words.ts';
import { SweepControls } from './controls.tsx';
import { HeatMap } from './heat-map.tsx';
import { LineMap } from './line-map.tsx';
import { MethodMap } from './method-map.tsx';
import { openCell } from './open-cell.ts';
import { Readout } from './readout.tsx';
import { sweepsOf } from '../sweeps-state.ts';

export function SweepContent({ table }: { readonly table: SweepTable }) {
  const { view } = sweepsOf(useLaboratory());
  return (
    <>
      <SweepControls table={table} />
      <div class="sweep-panes">
        {view.value === 'methods' ? <MethodsFigure table={table} /> : <MeasureFigure table={table} />}
        <Readout table={table} />
      </div>
    </>
  );
}

const KEYS = 'Arrows move from cell to cell, Enter or a click opens the case in the laboratory.';
const MAP_HELP = `Median over the seeds by colour. A cell is hatched as high as the share of its seeds that diverged. The ring is the best of the cells in which none did; those with a dashed edge do not differ from it significantly: their 95 % intervals overlap. ${KEYS}`;
const LINES_HELP = `Median over the seeds, with the interval that holds it with 95 %. A line has a gap where no seed has a value. ${KEYS}`;
const METHODS_HELP = `A method is named where it is better than each of the others: the interval of the paired differences over the seeds, which share truth and observations, leaves zero. Settings were chosen on the same seeds, which favours the method with more of them. ${KEYS}`;

/** One measure of one method, as a heat map or as lines. */
function MeasureFigure({ table }: { readonly table: SweepTable }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { view, subject, combinations, cells, findings, arrangement } = sweepsOf(laboratory);
  const { measure, method } = subject.value;
  const { title, unit } = table.measures[measure];
  const style = sweepStyles(table)[method];
  const told = { table, combinations: combinations.value, cells: cells.value, unit };
  const found = findings.value && findingWords(told, findings.value);
  const open = (combination: number): void => openCell(laboratory, run, combination);
  const isLines = view.value === 'lines';
  const Picture = isLines ? LineMap : HeatMap;
  return (
    <Figure
      id={isLines ? 'lines' : 'map'}
      title={`${style.title}: ${title}`}
      help={isLines ? LINES_HELP : MAP_HELP}
      table={() => mapTable({ ...told, subject: subject.value })}
      subject={{ name: table.name, subtitle: table.source }}
      note={[found, table.remark].filter(Boolean).join(' ')}
    >
      {arrangement.value && <Picture table={table} arrangement={arrangement.value} onOpen={open} />}
    </Figure>
  );
}

/** The methods against each other by one measure. */
function MethodsFigure({ table }: { readonly table: SweepTable }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { subject, combinations, contests, arrangement } = sweepsOf(laboratory);
  const { measure } = subject.value;
  const why = whyNoContest(table, measure);
  const styles = sweepStyles(table);
  const all = combinations.value;
  const champions = useMemo(
    () => (why === '' ? championsOf(table, all, measure) : undefined),
    [table, all, measure, why],
  );
  return (
    <Figure
      id="best-methods"
      title={`Best method: ${measureTitle(table.measures[measure])}`}
      help={METHODS_HELP}
      empty={why === '' ? undefined : why}
      table={() => contestTable({ table, combinations: all, contests: contests.value ?? [], styles, measure })}
      subject={{ name: table.name, subtitle: table.source }}
      note={champions && championWords(table, all, champions, styles, table.measures[measure].unit)}
    >
      {arrangement.value && contests.value && (
        <MethodMap
          table={table}
          arrangement={arrangement.value}
          contests={contests.value}
          onOpen={(combination) => openCell(laboratory, run, combination)}
        />
      )}
    </Figure>
  );
}
