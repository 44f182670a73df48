/**
 * The scenario of one run as data: what the run began with, with its timed interventions and its branches; the settings that apply
 * now; and the draft of them that is being edited. `reduce` makes every change. Whether a scenario is valid is checked before.
 */
import { interventionsBefore, isRecord, isSetting, setPath } from '../../../engine/index.ts';
import type { Intervention, ScenarioBranch } from '../../../engine/index.ts';

/** A scenario as its file would have it: defaults are omitted. */
export type Raw = Readonly<Record<string, unknown>>;

/** Where a scenario came from. */
export interface ScenarioOrigin {
  /** The file's name, also of one that ships; of what is in no file, as the scenario of a run folder, the name that it would have. */
  readonly name: string;
  readonly kind: 'bundled' | 'file' | 'run';
  /** Contents of the files beside it that it refers to, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Settings that a step of a lesson has changed: a scenario as its file has it, and as the step runs it. */
export interface LentSettings {
  readonly from: Raw;
  readonly to: Raw;
  /** Opening of the lesson's scenario. */
  readonly opening: number;
  /** Whether the lesson is on screen; when it is over, what is on screen is the user's own. */
  readonly isOpen: boolean;
}

/** A step that can be undone: another draft, or something that was done to the run and that the run itself undoes. */
type Step =
  | {
      readonly kind: 'draft';
      readonly title: string;
      /** The draft that undoing the step, or redoing it, brings back. */
      readonly other: unknown;
      /** Steps with one key that follow each other (typing, dragging) are one; none if empty. */
      readonly key: string;
    }
  | { readonly kind: 'run'; readonly title: string; readonly id: number };

export interface RunDocument {
  readonly origin: ScenarioOrigin;
  /** How often a scenario was opened: what belongs to one that was open before has another number. */
  readonly opening: number;
  /** What the file holds, to know what is not saved. */
  readonly saved: unknown;
  /** What the run began with, its interventions and its branches; undefined before there is a run. */
  readonly run: Raw | undefined;
  /** Interventions before this cycle are in the settings that apply. */
  readonly followed: number;
  /** The settings that apply, without interventions and branches. */
  readonly applied: unknown;
  /** The settings as they are being edited. */
  readonly draft: unknown;
  /** Steps that can be undone, and redone; the next one is last. */
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  readonly lent: LentSettings | undefined;
}

export const NO_DOCUMENT: RunDocument = {
  origin: { name: '', kind: 'bundled', files: {} },
  opening: 0,
  saved: undefined,
  run: undefined,
  followed: 0,
  applied: undefined,
  draft: undefined,
  past: [],
  future: [],
  lent: undefined,
};

export type DocumentChange =
  /** A scenario is opened: its settings are the draft and what its file holds, and nothing can be undone. */
  | { readonly type: 'open'; readonly raw: unknown; readonly origin: ScenarioOrigin }
  /** A run begins with a scenario; the settings that apply are those of its first cycle. */
  | { readonly type: 'begin'; readonly raw: unknown }
  /** The draft is replaced, as a step. */
  | { readonly type: 'edit'; readonly draft: unknown; readonly title: string; readonly key: string }
  /** A sequence of edits that count as one step ends: the field lost focus, the drag ended. */
  | { readonly type: 'end-edit' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  /** Something was done to the run that can be undone. */
  | { readonly type: 'add-step'; readonly title: string; readonly id: number }
  /** Only these steps of the run can still be undone. */
  | { readonly type: 'keep-steps'; readonly ids: readonly number[] }
  /** Settings apply now. */
  | { readonly type: 'apply'; readonly raw: unknown }
  /** The run gets other interventions and branches, and the words of the draft. */
  | {
      readonly type: 'record';
      readonly interventions: readonly Intervention[];
      readonly branches: readonly ScenarioBranch[];
    }
  /** A cycle was computed: the interventions up to it are in the settings that apply, and in a draft that does not differ. */
  | { readonly type: 'follow'; readonly cycle: number }
  /** The settings that held before a cycle apply again. With a title the draft becomes them too, as a step. */
  | { readonly type: 'rewind'; readonly cycle: number; readonly title?: string }
  /** A file of that name holds a scenario. */
  | { readonly type: 'save'; readonly name: string; readonly raw: unknown }
  /** Something else than what was opened is in the file. */
  | { readonly type: 'set-saved'; readonly raw: unknown }
  | { readonly type: 'lend'; readonly lent: LentSettings | undefined };

/** More steps are forgotten, oldest first. */
export const MAXIMUM_UNDO = 200;

/** Words of a scenario, which take effect without a part in the run. */
const LABEL_KEYS = ['$schema', 'title', 'description', 'name', 'lesson', 'expected'] as const;

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function without(raw: Raw, ...keys: readonly string[]): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !keys.includes(key)));
}

/** @returns a scenario's settings without its interventions and branches, which belong to the run */
export function settingsOf(raw: unknown): unknown {
  return isRecord(raw) ? without(raw, 'interventions', 'branches') : raw;
}

/** @returns a scenario with the words of a draft */
export function withLabels(raw: Raw, draft: unknown): Raw {
  const words = isRecord(draft) ? draft : {};
  const next: Record<string, unknown> = { ...raw };
  for (const key of LABEL_KEYS) {
    if (words[key] === undefined) delete next[key];
    else next[key] = words[key];
  }
  return next;
}

/** @returns a scenario with other interventions, in the place where it has them; with none it has no such key */
export function withInterventions(raw: unknown, list: readonly Intervention[]): Raw {
  const record = isRecord(raw) ? raw : {};
  return list.length > 0 ? { ...record, interventions: list } : without(record, 'interventions');
}

/** @returns a scenario with other branches, at its end; with none it has no such key */
export function withBranches(raw: Raw, branches: readonly ScenarioBranch[]): Raw {
  const rest = without(raw, 'branches');
  return branches.length > 0 ? { ...rest, branches } : rest;
}

/** @returns the interventions of the run, by ascending cycle, as its file would have them */
export function interventionsOf({ run }: Pick<RunDocument, 'run'>): readonly Intervention[] {
  const list = run?.['interventions'];
  // What runs was validated.
  return Array.isArray(list) ? (list as Intervention[]) : [];
}

/** @returns runs that leave the one on screen at a cycle, as its scenario has them */
export function branchesOf({ run }: Pick<RunDocument, 'run'>): readonly ScenarioBranch[] {
  const list = run?.['branches'];
  return Array.isArray(list) ? (list as ScenarioBranch[]) : [];
}

/** @returns settings with those that a list changes */
function applyTo(raw: unknown, list: readonly Intervention[]): unknown {
  return list.filter(isSetting).reduce((changed, { path, value }) => setPath(changed, path, value), raw);
}

/** @returns the settings that hold before the forecast of a cycle, as a scenario without interventions would have them */
export function settingsBefore(document: Pick<RunDocument, 'run'>, cycle: number): unknown {
  return applyTo(settingsOf(document.run), interventionsBefore(interventionsOf(document), cycle));
}

/** @returns the scenario of the run with other interventions and branches, and the words of the draft */
export function recorded(
  { run, draft }: Pick<RunDocument, 'run' | 'draft'>,
  interventions: readonly Intervention[],
  branches: readonly ScenarioBranch[],
): Raw {
  const raw = withInterventions(withLabels(run ?? {}, draft), interventions);
  return branches === run?.['branches'] ? raw : withBranches(raw, branches);
}

/** The settings that apply become others; a draft that did not differ follows them. */
function withApplied(document: RunDocument, applied: unknown): RunDocument {
  return { ...document, applied, draft: same(document.draft, document.applied) ? applied : document.draft };
}

function withStep(document: RunDocument, step: Step): RunDocument {
  return { ...document, past: [...document.past, step].slice(-MAXIMUM_UNDO), future: [] };
}

function edited(document: RunDocument, draft: unknown, title: string, key: string): RunDocument {
  if (same(draft, document.draft)) return document;
  const { past, future } = document;
  const latest = past.at(-1);
  const continues = latest?.kind === 'draft' && latest.key === key && key !== '' && future.length === 0;
  if (!continues) return { ...withStep(document, { kind: 'draft', title, other: document.draft, key }), draft };
  // If the draft is what it was before the sequence of edits, there is nothing left to undo.
  return { ...document, draft, past: same(draft, latest.other) ? past.slice(0, -1) : past };
}

function endEdit(document: RunDocument): RunDocument {
  const { past } = document;
  const latest = past.at(-1);
  if (latest?.kind !== 'draft' || latest.key === '') return document;
  return { ...document, past: [...past.slice(0, -1), { ...latest, key: '' }] };
}

function travelled(document: RunDocument, from: 'past' | 'future', to: 'past' | 'future'): RunDocument {
  const step = document[from].at(-1);
  if (!step) return document;
  const left = document[from].slice(0, -1);
  if (step.kind === 'run') return { ...document, [from]: left, [to]: [...document[to], step] };
  const back: Step = { ...step, other: document.draft, key: '' };
  return { ...document, [from]: left, [to]: [...document[to], back], draft: step.other };
}

function opened({ opening }: RunDocument, raw: unknown, origin: ScenarioOrigin): RunDocument {
  const settings = settingsOf(raw);
  const run = isRecord(raw) ? raw : undefined;
  const isTimed = interventionsOf({ run }).length + branchesOf({ run }).length > 0;
  return {
    ...NO_DOCUMENT,
    origin,
    opening: opening + 1,
    saved: isTimed ? raw : settings,
    run,
    applied: settings,
    draft: settings,
  };
}

function followed(document: RunDocument, cycle: number): RunDocument {
  const next = { ...document, followed: Math.max(document.followed, cycle + 1) };
  const due = interventionsOf(document).filter(
    (each) => isSetting(each) && each.cycle >= document.followed && each.cycle <= cycle,
  );
  return due.length > 0 ? withApplied(next, applyTo(document.applied, due)) : next;
}

function rewound(document: RunDocument, cycle: number, title: string | undefined): RunDocument {
  const settings = settingsBefore(document, cycle);
  const next = { ...document, followed: cycle };
  return title === undefined
    ? withApplied(next, settings)
    : edited({ ...next, applied: settings }, settings, title, '');
}

/** @returns the document after a change */
export function reduce(document: RunDocument, change: DocumentChange): RunDocument {
  switch (change.type) {
    case 'open':
      return opened(document, change.raw, change.origin);
    case 'begin':
      return { ...document, followed: 0, run: isRecord(change.raw) ? change.raw : undefined };
    case 'edit':
      return edited(document, change.draft, change.title, change.key);
    case 'end-edit':
      return endEdit(document);
    case 'undo':
      return travelled(document, 'past', 'future');
    case 'redo':
      return travelled(document, 'future', 'past');
    case 'add-step':
      return withStep(document, { kind: 'run', title: change.title, id: change.id });
    case 'keep-steps':
      return {
        ...document,
        past: document.past.filter((step) => step.kind === 'draft' || change.ids.includes(step.id)),
      };
    case 'apply':
      return { ...document, applied: change.raw };
    case 'record':
      return { ...document, run: recorded(document, change.interventions, change.branches) };
    case 'follow':
      return followed(document, change.cycle);
    case 'rewind':
      return rewound(document, change.cycle, change.title);
    case 'save':
      return { ...document, saved: change.raw, origin: { ...document.origin, name: change.name, kind: 'file' } };
    case 'set-saved':
      return { ...document, saved: change.raw };
    case 'lend':
      return { ...document, lent: change.lent };
    default:
      return change satisfies never;
  }
}
