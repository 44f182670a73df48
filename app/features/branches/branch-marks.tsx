/** Where branches leave the run, on the timeline. */
import type { TimelineScale } from '../../document/run/timeline-scale.ts';
import { useRun } from '../../document/context.ts';

export function BranchMarks({ scale }: { readonly scale: TimelineScale }) {
  const { branches, controller } = useRun();
  return (
    <>
      {branches.entries.value.map(({ id, branch: { cycle } }) => {
        const name = `Cycle ${cycle}: ${branches.titleOf(id)}, a branch`;
        return (
          <button
            key={id}
            type="button"
            class="run-mark run-mark-fork"
            aria-label={name}
            title={name}
            style={{ left: `${(100 * scale.place(cycle)).toFixed(4)}%` }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => controller.scrub(cycle)}
          >
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <path d="M2.500 0.500v9M2.500 6.500c0-2.500 5-1.500 5-5M5.500 3l2-2 2 2" />
            </svg>
          </button>
        );
      })}
    </>
  );
}
