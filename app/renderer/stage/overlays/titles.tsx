/** Titles over the views: the method, and the one number that says how it does now. */
import { formatQuantity } from '../../charts/numbers.ts';
import type { FieldId } from '../../state/fields.ts';
import { fieldOf } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { currentDiagnostics, styleOf } from '../../state/session-state.ts';
import { fields, highlightedMethod, phase } from '../../state/view-state.ts';
import { drawnFrame } from '../stage-state.ts';
import { Swatch } from './swatch.tsx';

/** RMSE belongs to the state's first variable: η and depth have the same. */
function rmseNow(label: string): string | undefined {
  const row = currentDiagnostics.value.get(label);
  const byVariable = row?.rmse[phase.value];
  const value = byVariable && Object.values(byVariable)[0];
  return value === undefined ? undefined : formatQuantity(value, 'm');
}

/** The number under a title: of the truth none. */
function Score({ label, field }: { readonly label: string; readonly field: FieldId }) {
  if (label === TRUTH) return <span class="view-what">{fieldOf(field).title}</span>;
  const value = rmseNow(label);
  return (
    <span class="view-score">
      {fields.value.length > 1 && <span class="view-what">{fieldOf(field).title}</span>}
      {value !== undefined && (
        <>
          <span class="view-what">RMSE</span> <span class="number">{value}</span>
        </>
      )}
    </span>
  );
}

export function Titles() {
  const frame = drawnFrame.value;
  if (!frame) return null;
  return (
    <>
      {frame.views.map(({ key, rect, subject, field }) => {
        const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
        return (
          <section
            key={key}
            class="view-frame"
            data-highlighted={highlightedMethod.value === subject}
            style={{ left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`, height: `${rect.height}px` }}
          >
            <h3 class="view-title">
              {style && <Swatch style={style} />}
              <span class="view-name">{style?.title ?? subject}</span>
            </h3>
            <Score label={subject} field={field} />
          </section>
        );
      })}
    </>
  );
}
