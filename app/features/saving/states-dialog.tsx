/** Which states of its cycles a run is saved with, what that takes, and whether there is room. */
import { useEffect, useId, useState } from 'preact/hooks';
import type { CycleDiagnostics, FieldsSize, RunInfo, RunRecord, Scenario } from '../../../engine/index.ts';
import { Dialog, DialogField } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { formatDuration, formatBytes } from '../../format/numbers.ts';
import { saveWithStates, savingOf } from './write-states.ts';
import type { ScratchRoom } from './scratch.ts';
import { fieldsSize, formatRanges, parseMemberList } from '../../../engine/index.ts';
import { ARCHIVE_BOUNDS, LARGEST_ZIP_BYTES } from '../../files/zip.ts';
import type { Host } from '../../host/host.ts';

/** As it is typed. */
interface StatesChoice {
  readonly what: 'mean' | 'members';
  readonly every: string;
  /** 0,4-7; all where it is empty. */
  readonly members: string;
}

export const FIRST_CHOICE: StatesChoice = { what: 'mean', every: '1', members: '' };

type Fields = NonNullable<RunRecord['fields']>;

/** What is wrong with a choice, by what it is of. */
interface ChoiceProblems {
  readonly every?: string;
  readonly members?: string;
}

/** @returns the number of members of its largest ensemble; 1 where it has none */
function ensembleOf({ methods }: Pick<RunInfo, 'methods'>): number {
  return Math.max(1, ...methods.map(({ members }) => members));
}

/**
 * @param ensemble members of the largest
 * @param cycles that the run has done
 * @returns which states these are, or what is wrong
 */
export function chosenFields(
  { what, every, members }: StatesChoice,
  ensemble: number,
  cycles: number,
): { readonly fields: Fields } | { readonly problems: ChoiceProblems } {
  const number = Number(every);
  const isStride = /^\d+$/.test(every.trim()) && number >= 1 && number <= cycles;
  const stride = isStride
    ? {}
    : { every: `found ${every.trim() || 'nothing'}, allowed: whole numbers from 1 to ${cycles}` };
  if (what === 'mean') return isStride ? { fields: { every: number } } : { problems: stride };
  const last = ensemble - 1;
  const all = Array.from({ length: ensemble }, (_, member) => member);
  const listed = members.trim() === '' ? all : parseMemberList(members);
  const beyond = listed?.find((member) => member > last);
  if (isStride && listed && beyond === undefined) return { fields: { every: number, members: listed } };
  const allowed = `allowed: members from 0 to ${last} and ranges of them, as ${formatRanges(all.slice(0, 2))}`;
  const wrong = listed && beyond === undefined ? {} : { members: `found ${beyond ?? members}, ${allowed}` };
  return { problems: { ...stride, ...wrong } };
}

/** What it will take, and what speaks against it. */
interface Outlook {
  readonly size: FieldsSize;
  /** Whether `fields.bin` is written beside `fields.nc`: a run that is not at its end continues with it. */
  readonly goesOn: boolean;
  /** Bytes of both, about: states pack by a third or not at all. */
  readonly bytes: number;
  /** Why it cannot be. */
  readonly refusal: string | undefined;
  /** What to know before. */
  readonly warning: string | undefined;
}

/** What `fields.nc` has beside the states, about: what is in its diagnostics, and what says of each variable what it is. */
const BESIDE_BYTES = 2 ** 20;

const FEWER = 'keep fewer: of fewer cycles, of fewer members, or of the means alone';

/**
 * @param done cycles that the run has done
 * @param cycles that it has in all
 */
export function outlookOf(
  scenario: Scenario,
  fields: Fields,
  { done, cycles }: { readonly done: number; readonly cycles: number },
  host: Host['kind'],
  room: ScratchRoom,
): Outlook {
  const size = fieldsSize(scenario, fields, undefined, 0, done);
  const goesOn = done < cycles;
  const bytes = BESIDE_BYTES + (goesOn ? 2 : 1) * size.bytes;
  const needed = `The states of ${size.cycles} cycles need about ${formatBytes(bytes)}`;
  const common = { size, goesOn, bytes };
  if (bytes > room.free) {
    const where =
      room.kind === 'storage'
        ? `the browser has ${formatBytes(room.free)} of storage left for this page`
        : `this browser keeps no files for a page, and ${formatBytes(room.free)} of memory are the most`;
    return { ...common, refusal: `${needed}, ${where}; ${FEWER}.`, warning: undefined };
  }
  if (host === 'electron') return { ...common, refusal: undefined, warning: undefined };
  if (bytes > LARGEST_ZIP_BYTES) {
    const refusal = `${needed}, a .zip has room for ${formatBytes(LARGEST_ZIP_BYTES)}; ${FEWER}, or run it by \`shoal run --fields\`.`;
    return { ...common, refusal, warning: undefined };
  }
  const isLarge = bytes > ARCHIVE_BOUNDS.bytes;
  const warning = `A .zip of more than ${formatBytes(ARCHIVE_BOUNDS.bytes)} is opened here by its files, once it is unpacked.`;
  return { ...common, refusal: undefined, warning: isLarge ? warning : undefined };
}

/** @param seconds that computing it again takes, about; undefined if nothing is known */
export function outlookText({ size, goesOn, bytes }: Outlook, seconds: string | undefined): string {
  const cycles = size.cycles === 1 ? 'one cycle' : `${size.cycles} cycles`;
  const files = goesOn ? 'fields.nc and fields.bin, from which the run can continue' : 'fields.nc';
  const time = seconds === undefined ? '' : ` The run is computed again beside this one for it: about ${seconds}.`;
  return `States of ${cycles}, ${formatBytes(size.cycleBytes)} each: about ${formatBytes(bytes)} as ${files}.${time}`;
}

const TITLE = 'Save the run with its states';

/** @returns what the cycles took, as the run measured it; undefined where it did not */
function secondsOf(diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>): string | undefined {
  const milliseconds = [...diagnostics.values()]
    .flat()
    .reduce((sum, { milliseconds: { forecast, analysis } }) => sum + forecast + analysis, 0);
  return milliseconds > 0 ? formatDuration(milliseconds / 1000) : undefined;
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
      class="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPossible) return;
        onClose();
        void saveWithStates(laboratory, run, fields);
      }}
    >
      <h2>{TITLE}</h2>
      <p class="dialog-words">
        Its folder gets fields.nc (NetCDF-4) with truth, means and spread of each cycle: it can be played here as a
        whole, and read anywhere.
      </p>
      <fieldset class="states-choice">
        <legend>States</legend>
        {what('mean', 'Truth and means')}
        {what('members', 'and members of the ensembles')}
      </fieldset>
      {choice.what === 'members' && (
        <DialogField
          label="Members"
          help={`All ${ensemble} where it is empty; or as 0,4-7.`}
          problem={problems.members}
          value={choice.members}
          onInput={(members) => change({ members })}
        />
      )}
      <DialogField
        label="Every how many cycles"
        help={`Of the ${done} that are done.`}
        problem={problems.every}
        value={choice.every}
        onInput={(every) => change({ every })}
      />
      <div role="status" class="dialog-outlook">
        {outlook && <p>{outlookText(outlook, secondsOf(diagnostics.value))}</p>}
        {outlook?.warning !== undefined && <p class="states-warning">{outlook.warning}</p>}
        {outlook?.refusal !== undefined && <p class="field-problem">{outlook.refusal}</p>}
      </div>
      <div class="dialog-answers">
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
    <Dialog label={TITLE} first="input:checked" onClose={closeOverlay}>
      <StatesForm room={room} onClose={closeOverlay} />
    </Dialog>
  );
}
