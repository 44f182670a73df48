/** What happened at a cycle of the run, on the timeline: settings that were changed, methods that diverged. */
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/context.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { RunMark } from '../../document/scenario/run-edits.ts';
import { tellDivergence } from '../../document/run/tell-divergence.ts';
import type { TimelineScale } from '../../document/run/timeline-scale.ts';

/** Shows the cycle; of a divergence also what there is to say and to do about it. */
function open(laboratory: Laboratory, run: RunView, { cycle, method }: RunMark): void {
  const { controller, course } = run;
  controller.scrub(cycle);
  const divergence = course.divergences.value.find((each) => each.method === method);
  const states = { notices: laboratory.notices, edits: run.edits, course };
  if (divergence) tellDivergence(states, divergence, (to, play) => controller.goBack(to, play));
}

export function RunMarks({ scale }: { readonly scale: TimelineScale }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { runMarks } = run.edits;
  return (
    <>
      {runMarks.value.map((mark) => {
        const { kind, cycle, text } = mark;
        const name = `Cycle ${cycle}: ${text}`;
        return (
          <button
            key={`${kind} ${cycle} ${text}`}
            type="button"
            class={`run-mark run-mark-${kind}`}
            aria-label={name}
            title={name}
            style={{ left: `${(100 * scale.place(cycle)).toFixed(4)}%` }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => open(laboratory, run, mark)}
          >
            <svg viewBox="0 0 10 10" aria-hidden="true">
              {kind === 'edit' ? <path d="M5 0.5 9.5 5 5 9.5 0.5 5z" /> : <path d="M1 1l8 8M9 1 1 9" />}
            </svg>
          </button>
        );
      })}
    </>
  );
}
