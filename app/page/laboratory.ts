/**
 * The state of one page: what it remembers, says, asks and can do, whichever run is on screen. It is made once, when the page
 * starts, and handed down. Features keep their own state of the page in its slots; runs have a state of their own.
 */
import type { Host } from '../host/host.ts';
import { createCommands } from './commands.ts';
import { createEvidence, createOverlays, createQuestions } from './overlays.ts';
import { createFrame, createSettingsForm } from './frame-sizes.ts';
import { createNotices, createProgress } from './notices.ts';
import { createOwnWindows } from './own-windows.ts';
import { createPreferences } from './preferences.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/**
 * The state that features keep of a page or of a run. A feature's state is made when it is first asked for, so that what is
 * beneath the features need not know them.
 */
export interface Slots<Owner> {
  /** @returns what `create` makes of the owner: the same object each time */
  readonly use: <Made>(create: (owner: Owner) => Made) => Made;
}

/** @returns what gives an owner its state: made when it is first asked for, and the same object each time */
export function slot<Owner extends Slots<Owner>, Made>(create: (owner: Owner) => Made): (owner: Owner) => Made {
  return (owner) => owner.use(create);
}

/** What is used instead of the result of a function. */
type Given<Owner> = readonly [create: (owner: Owner) => unknown, made: unknown];

/** @returns a pair that gives `made` in place of what `create` makes */
export function given<Owner, Made>(create: (owner: Owner) => Made, made: NoInfer<Made>): Given<Owner> {
  return [create, made];
}

interface Disposable {
  dispose(): void;
}

function isDisposable(made: unknown): made is Disposable {
  return typeof made === 'object' && made !== null && 'dispose' in made && typeof made.dispose === 'function';
}

/** @param owner what the states are of */
export function createSlots<Owner>(owner: () => Owner, instead: Iterable<Given<Owner>> = []) {
  const slots = new Map<unknown, unknown>(instead);
  return {
    use: <Made>(create: (owner: Owner) => Made): Made => {
      if (!slots.has(create)) slots.set(create, create(owner()));
      return slots.get(create) as Made;
    },
    /** Disposes of the states that can be, the latest first. */
    disposeSlots: (): void => {
      for (const made of [...slots.values()].reverse()) if (isDisposable(made)) made.dispose();
    },
  };
}

/** How components find the laboratory of their page. */
export const LaboratoryContext = createContext<Laboratory | undefined>(undefined);

/** @throws RangeError outside of a `LaboratoryContext` */
export function useLaboratory(): Laboratory {
  const laboratory = useContext(LaboratoryContext);
  if (!laboratory) throw new RangeError('there is no laboratory around this component');
  return laboratory;
}

function createPageState(host: Host) {
  const preferences = createPreferences();
  const frame = createFrame(preferences);
  const notices = createNotices();
  return {
    host,
    preferences,
    frame,
    commands: createCommands(),
    evidence: createEvidence(),
    form: createSettingsForm(frame),
    notices,
    overlays: createOverlays(),
    ownWindows: createOwnWindows(notices),
    progress: createProgress(),
    questions: createQuestions(),
  };
}

export interface Laboratory extends ReturnType<typeof createPageState>, Slots<Laboratory> {}

/** What a page needs of its surroundings. */
export interface Surroundings {
  readonly host: Host;
  /** Used in place of what features would make themselves. */
  readonly given?: readonly Given<Laboratory>[];
}

export function createLaboratory({ host, given }: Surroundings): Laboratory {
  const { use } = createSlots<Laboratory>(() => laboratory, given);
  const laboratory: Laboratory = { ...createPageState(host), use };
  return laboratory;
}
