/** The settings that were tried, as the map of a sweep: by colour what they gave so far. */
import { Figure } from '../../../figures/figure.tsx';
import { useLaboratory } from '../../../page/laboratory.ts';
import { mapTable } from '../../sweeps/map-table.ts';
import { cellWords } from '../../sweeps/words.ts';
import type { TuningPlan } from '../../../../engine/index.ts';
import { HeatMap } from '../../sweeps/page/heat-map.tsx';
import '../../sweeps/page/sweeps.css';
import { sweepsOf } from '../../sweeps/sweeps-state.ts';
import { tuningsOf } from '../tuning-state.ts';

const HELP =
  'Median over the seeds that are done, by colour. A cell is hatched as high as the share of its seeds that diverged; empty cells were not tried or are still pending. The ring marks the best; cells with a dashed edge do not differ from it significantly, seed by seed. Arrows move from cell to cell.';

/** By itself, so that the map is not drawn again while the pointer moves. */
function ToldCell({ cells }: { readonly cells: Parameters<typeof cellWords>[0] }) {
  return <>{cellWords(cells, sweepsOf(useLaboratory()).told.value)}</>;
}

export function TuningMap({ plan: { name, method, measure } }: { readonly plan: TuningPlan }) {
  const { table, arrangement, combinations, cells, subject, reached } = sweepsOf(useLaboratory());
  const { title } = tuningsOf(useLaboratory());
  const shown = table.value;
  if (!shown || !arrangement.value) return null;
  const all = { table: shown, combinations: combinations.value, cells: cells.value, unit: measure.unit };
  return (
    <Figure
      id="map"
      title={`${measure.title}, ${title.value}`}
      help={HELP}
      table={() => mapTable({ ...all, subject: subject.value })}
      subject={{ name: `${name}-tuning-${method}`, subtitle: `${measure.title} of ${method}, ${name}` }}
      note={cells.value.length > 0 && <ToldCell cells={all} />}
    >
      <HeatMap
        table={shown}
        arrangement={arrangement.value}
        onOpen={(combination) => {
          reached.value = combination;
        }}
      />
    </Figure>
  );
}
