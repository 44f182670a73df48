/** The title of a view: the method, and the one number that says how it does now. */
import { formatMeasured } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { currentDiagnostics, styleOf } from '../../state/session-state.ts';
import { phase } from '../../state/view-state.ts';
import type { DrawnView } from '../stage-model.ts';
import { Swatch } from './swatch.tsx';
import { useViewRoom } from './view-room.ts';

/** RMSE belongs to the state's first variable: η and depth have the same. */
function rmseNow(label: string): string | undefined {
  const row = currentDiagnostics.value.get(label);
  const byVariable = row?.rmse[phase.value];
  const value = byVariable && Object.values(byVariable)[0];
  return value === undefined ? undefined : `${formatMeasured(value)}\u00a0m`;
}

/** Under the name: the score in the first row, and what is drawn where no score says so. */
function Second({ subject, field, row }: Pick<DrawnView, 'subject' | 'field' | 'row'>) {
  const value = subject === TRUTH ? undefined : rmseNow(subject);
  // A grid of one field wraps into rows; then each of them has its score.
  if (value === undefined || row > 0) return <p class="view-score view-what">{fieldOf(field).title}</p>;
  return (
    <p class="view-score">
      <span class="view-what">RMSE</span> <span class="view-number number">{value}</span>
    </p>
  );
}

/** @param row of fields; 0 where there is only one */
export function Title({ view: { subject, field }, row }: { readonly view: DrawnView; readonly row: number }) {
  const label = useViewRoom<HTMLDivElement>('title');
  const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
  return (
    <div class="view-label" ref={label}>
      <h3 class="view-title">
        {style && <Swatch style={style} />}
        <span class="view-name">{style?.title ?? subject}</span>
      </h3>
      <Second subject={subject} field={field} row={row} />
    </div>
  );
}
