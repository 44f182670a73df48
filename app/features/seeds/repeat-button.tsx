/** The button beside the results of a run that repeats it with several seeds; while the seeds run, it says how far they are. */
import { CommandButton } from '../../controls/command-button.tsx';
import { useLaboratory } from '../../page/laboratory.ts';
import { seedsOf } from './seeds-state.ts';

export function RepeatButton() {
  const progress = seedsOf(useLaboratory()).progress.value;
  return (
    <CommandButton command="run.seeds" class="button">
      {progress ? `${progress.done} of ${progress.seeds} seeds…` : 'Repeat with seeds…'}
    </CommandButton>
  );
}
