/** All that the page has of the run on screen, as its folder has it. */
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { StoredResults } from '../../document/run/save-run.ts';

/** @returns undefined where another run was started in the meantime */
export async function gatherResults(
  { progress: { beginWork } }: Pick<Laboratory, 'progress'>,
  run: RunView,
): Promise<StoredResults | undefined> {
  const {
    controller,
    edits: { branches },
    course: { runNumber, info, allRows, kernels, storedTrace, ceilings, failure, divergences, warnings },
    clock: { runTimes },
  } = run;
  const number = runNumber.value;
  // The checkpoint waits for the cycle that is being computed.
  const work = beginWork('Gathering the run');
  try {
    const { files } = controller;
    const checkpoint = await controller.checkpoint().catch(() => undefined);
    const diagnostics = await allRows();
    const running = info.value;
    if (runNumber.value !== number || !running) return undefined;
    return {
      // What leaves the run is no part of its numbers, so that what computes it knows nothing about it.
      info: { ...running, scenario: { ...running.scenario, branches: [...branches.value] } },
      diagnostics,
      kernels: kernels.value,
      trace: storedTrace(),
      ceilings: ceilings.value,
      checkpoint,
      files,
      times: runTimes(),
      failure: failure.value,
      divergences: divergences.value,
      warnings: warnings.value,
    };
  } finally {
    work.end();
  }
}
