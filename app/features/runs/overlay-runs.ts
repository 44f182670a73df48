/** Curves of kept runs over the charts of the run on screen. */
import { computed } from '@preact/signals';
import { modelGrid, modelKindDefinition } from '../../../engine/index.ts';
import type { OverlaidRun, OverlaidSource } from '../../document/lines/overlaid.ts';
import { methodStyles } from '../../document/views/method-style.ts';
import { shortName } from './differences.ts';
import type { KeptRun } from './kept-run.ts';
import type { Runs } from './runs-state.ts';

/** Without the dots between dashes that branches have; as many as runs can be overlaid. */
const RUN_DASHES = ['3 3', '14 3', '1 4'] as const;

interface Titled {
  readonly run: KeptRun;
  readonly title: string;
  readonly dash: string;
}

/** Each with a title of its own. */
function titledRuns(overlaid: readonly KeptRun[], beside: KeptRun | undefined): readonly Titled[] {
  const titles = overlaid.map((run) => shortName(run, beside));
  return overlaid.map((run, index) => {
    const isTwice = titles.indexOf(titles[index]) !== titles.lastIndexOf(titles[index]);
    return { run, title: isTwice ? `Run ${run.number}` : titles[index], dash: RUN_DASHES[index % RUN_DASHES.length] };
  });
}

function drawn({ run, title, dash }: Titled): OverlaidRun {
  return {
    id: run.id,
    title,
    dash,
    diagnostics: run.rows,
    styles: methodStyles(run.methods),
    diverged: new Map(run.diverged.map(({ method, cycle }) => [method, cycle])),
    cells: { ...modelGrid(run.scenario), isRing: modelKindDefinition(run.scenario.model).world === 'ring' },
  };
}

/** @returns those that are overlaid, as the charts have them: the same ones as long as nothing of them has changed */
export function overlaidSource({
  overlaidRuns,
  runOnScreen,
}: Pick<Runs, 'overlaidRuns' | 'runOnScreen'>): OverlaidSource {
  let known: readonly { readonly titled: Titled; readonly run: OverlaidRun }[] = [];
  let last: readonly OverlaidRun[] = [];
  const all = computed(() => {
    known = titledRuns(overlaidRuns.value, runOnScreen.value).map((titled) => {
      const found = known.find(
        (each) =>
          each.titled.run === titled.run && each.titled.title === titled.title && each.titled.dash === titled.dash,
      );
      return found ?? { titled, run: drawn(titled) };
    });
    const next = known.map(({ run }) => run);
    if (next.length !== last.length || next.some((run, index) => run !== last[index])) last = next;
    return last;
  });
  return () => all.value;
}
