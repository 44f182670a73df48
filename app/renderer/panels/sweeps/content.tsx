/** A sweep that is open: what is drawn of it, the figure, and what the cell that is pointed at has. */
import { Figure } from '../../charts/figure.tsx';
import { useLaboratory, useRun } from '../../state/context.ts';
import { mapTable, measureTitle } from '../../sweeps/map-table.ts';
import type { SweepTable } from '../../sweeps/table.ts';
import { findingWords } from '../../sweeps/words.ts';
import { SweepControls } from './controls.tsx';
import { HeatMap } from './heat-map.tsx';
import { openCell } from './open-cell.ts';
import { Readout } from './readout.tsx';

export function SweepContent({ table }: { readonly table: SweepTable }) {
  return (
    <>
      <SweepControls table={table} />
      <div class="sweep-panes">
        <MapFigure table={table} />
        <Readout table={table} />
      </div>
    </>
  );
}

const HELP =
  'Median over the seeds by colour, the brighter the better. A cell is hatched as high as the share of its seeds that diverged. The ring is the best cell; cells with a dashed edge are not told apart from it: their 95 % intervals overlap. Arrows move, Enter opens the case.';

function MapFigure({ table }: { readonly table: SweepTable }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const {
    sweeps: { subject, combinations, cells, findings, arrangement },
  } = laboratory;
  const { measure, method } = subject.value;
  const { title, unit } = table.measures[measure];
  const told = { table, combinations: combinations.value, cells: cells.value, unit };
  const found = findings.value && findingWords(told, findings.value);
  return (
    <Figure
      id="map"
      title={`${title}, ${table.methods[method]}`}
      help={HELP}
      table={() => mapTable({ ...told, subject: subject.value })}
      subject={{
        name: table.name,
        subtitle: `${measureTitle(table.measures[measure])} of ${table.methods[method]}; ${table.source}`,
      }}
      note={[found, table.remark].filter(Boolean).join(' ')}
    >
      {arrangement.value && (
        <HeatMap
          table={table}
          arrangement={arrangement.value}
          onOpen={(combination) => openCell(laboratory, run, combination)}
        />
      )}
    </Figure>
  );
}
