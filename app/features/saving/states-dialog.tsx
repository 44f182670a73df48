/** Which states of its cycles a run is saved with, and what that takes. */
import { useEffect, useId, useState } from 'preact/hooks';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { formatDuration } from '../../format/numbers.ts';
import { saveWithStates } from './save-states.ts';
import type { ScratchRoom } from './scratch.ts';
import { chosenFields, ensembleOf, FIRST_CHOICE, outlookOf, outlookText } from './states-choice.ts';
import type { StatesChoice } from './states-choice.ts';
import './states-dialog.css';
import { savingOf } from './saving-parts.ts';

const TITLE = 'Save the run with its states';

/** @returns what the cycles took, as the run measured it; undefined where it did not */
function secondsOf(diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>): string | undefined {
  const milliseconds = [...diagnostics.values()]
    .flat()
    .reduce((sum, { milliseconds: { forecast, analysis } }) => sum + forecast + analysis, 0);
  return milliseconds > 0 ? formatDuration(milliseconds / 1000) : undefined;
}

function Field({
  label,
  help,
  problem,
  value,
  onInput,
}: {
  readonly label: string;
  readonly help: string;
  readonly problem: string | undefined;
  readonly value: string;
  readonly onInput: (text: string) => void;
}) {
  const id = useId();
  return (
    <div class="states-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        value={value}
        autocomplete="off"
        aria-describedby={`${id}-words`}
        aria-invalid={problem !== undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p id={`${id}-words`} class={problem === undefined ? 'label' : 'field-problem'}>
        {problem ?? help}
      </p>
    </div>
  );
}

interface FormProps {
  readonly room: ScratchRoom;
  readonly onClose: () => void;
}

function StatesForm({ room, onClose }: FormProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const [choice, setChoice] = useState<StatesChoice>(FIRST_CHOICE);
  const { info, newestCycle, diagnostics } = run.course;
  const name = useId();
  const running = info.value;
  if (!running) return null;
  const change = (changes: Partial<StatesChoice>): void => setChoice({ ...choice, ...changes });
  const done = newestCycle.value + 1;
  const ensemble = ensembleOf(running);
  const chosen = chosenFields(choice, ensemble, done);
  const fields = 'fields' in chosen ? chosen.fields : undefined;
  const problems = 'problems' in chosen ? chosen.problems : {};
  const outlook =
    fields && outlookOf(running.scenario, fields, { done, cycles: running.cycles }, laboratory.host.kind, room);
  const isPossible = fields !== undefined && outlook?.refusal === undefined;
  const what = (value: StatesChoice['what'], words: string) => (
    <label class="states-what">
      <input
        type="radio"
        name={name}
        value={value}
        checked={choice.what === value}
        disabled={value === 'members' && ensemble === 1}
        onChange={() => change({ what: value })}
      />
      {words}
    </label>
  );
  return (
    <form
      class="states"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPossible) return;
        onClose();
        void saveWithStates(laboratory, run, fields);
      }}
    >
      <h2>{TITLE}</h2>
      <p class="states-words">
        Its folder gets fields.nc (NetCDF-4) with truth, means and spread of each cycle: it can be played here as a
        whole, and read anywhere.
      </p>
      <fieldset class="states-choice">
        <legend>States</legend>
        {what('mean', 'Truth and means')}
        {what('members', 'and members of the ensembles')}
      </fieldset>
      {choice.what === 'members' && (
        <Field
          label="Members"
          help={`All ${ensemble} where it is empty; or as 0,4-7.`}
          problem={problems.members}
          value={choice.members}
          onInput={(members) => change({ members })}
        />
      )}
      <Field
        label="Every how many cycles"
        help={`Of the ${done} that are done.`}
        problem={problems.every}
        value={choice.every}
        onInput={(every) => change({ every })}
      />
      <div role="status" class="states-outlook">
        {outlook && <p>{outlookText(outlook, secondsOf(diagnostics.value))}</p>}
        {outlook?.warning !== undefined && <p class="states-warning">{outlook.warning}</p>}
        {outlook?.refusal !== undefined && <p class="field-problem">{outlook.refusal}</p>}
      </div>
      <div class="states-answers">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={!isPossible}>
          Save…
        </button>
      </div>
    </form>
  );
}

export function StatesDialog() {
  const {
    overlays: { closeOverlay },
  } = useLaboratory();
  const saving = savingOf(useLaboratory());
  const [room, setRoom] = useState<ScratchRoom>();
  useEffect(() => {
    void saving?.room().then(setRoom);
  }, [saving]);
  if (!room) return null;
  return (
    <Dialog label={TITLE} class="states-dialog" first="input:checked" onClose={closeOverlay}>
      <StatesForm room={room} onClose={closeOverlay} />
    </Dialog>
  );
}
