/**
 * The state of one page: what it remembers, says, asks and can do, whichever run is on screen. It is made once, when the page
 * starts, and handed down. Features keep their own state of the page in its slots; runs have a state of their own.
 */
import type { Host } from '../host/host.ts';
import { createCommands } from './commands.ts';
import { createEvidence } from './evidence-tabs.ts';
import { createFrame } from './frame-sizes.ts';
import { createNotices } from './notices.ts';
import { createOverlays, createQuestions } from './overlays.ts';
import { createPreferences } from './preferences.ts';
import { createProgress } from './progress.ts';

import { createSettingsForm } from './settings-form.ts';
import { createSlots } from './slots.ts';
import type { Given, Slots } from './slots.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

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
  return {
    host,
    preferences,
    frame,
    commands: createCommands(),
    evidence: createEvidence(),
    form: createSettingsForm(frame),
    notices: createNotices(),
    overlays: createOverlays(),
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
