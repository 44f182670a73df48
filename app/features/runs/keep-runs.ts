/** The list of runs at work in a page: it follows the run on screen, is brought back and stored, and is drawn over the charts. */
import type { Laboratory } from '../../page/laboratory.ts';
import { commandOfRun } from '../../document/run/run-command.ts';
import type { RunView } from '../../document/run-view.ts';
import { runTitle } from './kept-run.ts';
import type { KeptRun } from './kept-run.ts';
import { overlaidSource } from './overlay-runs.ts';
import { recordRun } from './record-run.ts';
import { rememberRuns } from './remember-runs.ts';
import type { RunStore } from './stored-runs.ts';
import { megabytes } from './words.ts';
import { runsOf } from './runs-state.ts';
import { chartsOf } from '../../figures/chart-state.ts';

/** A turn of the page: what waits is done first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** @returns what ends it; it writes what still waits to be written */
export function keepRuns(laboratory: Laboratory, run: RunView, store: RunStore): () => Promise<void> {
  const { notices } = laboratory;
  const runs = runsOf(laboratory);
  const withdraw = chartsOf(run).overlay(overlaidSource(runs));
  const stopTelling = runs.onDropped((dropped: KeptRun) => {
    notices.notify('information', 'The list of runs is full', {
      lines: [
        `Run ${dropped.number}, ${runTitle(dropped)}, has left it: ${megabytes(runs.limitBytes)} MB are the most. Runs that are pinned stay.`,
      ],
    });
  });
  const remembered = rememberRuns(runs, notices, store, { yieldToEventLoop: turn });
  let stopRecording: (() => void) | undefined;
  let isOver = false;
  // What is on screen may repeat a run of an earlier sitting, and continue under its entry.
  void remembered.read.then(() => {
    if (isOver) return;
    stopRecording = recordRun(runs, run, {
      commandOf: (info) => commandOfRun(laboratory, run, info) ?? { line: '', needs: undefined },
    });
  });
  return async () => {
    isOver = true;
    stopRecording?.();
    stopTelling();
    withdraw();
    remembered.stop();
    await remembered.settled();
  };
}
