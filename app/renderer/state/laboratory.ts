/**
 * The state of one page: what it remembers, says, asks and can do, whichever run is on screen. It is made once, by the page's
 * start, and handed down; runs have a state of their own (`run-view.ts`).
 */
import { createChecks } from '../check/check-state.ts';
import { createBenchmarks } from '../benchmarks/benchmarks-state.ts';
import { createEvidence } from '../charts/evidence-tabs.ts';
import { createSpectraDesk } from '../charts/spectra-calls.ts';
import type { Host } from '../../host/host.ts';
import { createSettingsForm } from '../panels/settings/go-to.ts';
import { openPlayback as openInWorker } from '../playback/open-playback.ts';
import type { OpenPlayback } from '../playback/play-folder.ts';
import type { Reader } from '../reading/reader.ts';
import type { SavingParts } from '../saving/saving-parts.ts';
import { createRuns } from '../runs/runs-state.ts';
import { createCatalogue } from './bundled-scenarios.ts';
import { createCommands } from './commands.ts';
import { createFrame } from './frame-sizes.ts';
import { createNotices } from './notices.ts';
import { createOverlays } from './overlays.ts';
import { createPreferences } from './preferences.ts';
import { createProgress } from './progress.ts';
import { createQuestions } from './question.ts';
import { createSeeds } from '../seeds/seeds-state.ts';
import { createSweeps } from '../sweeps/sweeps-state.ts';
import { createTunings } from '../tuning/tuning-state.ts';

/** What a page needs of its surroundings. */
export interface Surroundings {
  readonly host: Host;
  /** Reads what a person opens. */
  readonly reader: Reader;
  /** Reads the stored states of a run that a person opens. */
  readonly openPlayback?: OpenPlayback;
  /** Computes runs again, and writes their states; they cannot be saved where it is left out. */
  readonly saving?: SavingParts;
}

export function createLaboratory({ host, reader, openPlayback = openInWorker, saving }: Surroundings) {
  const preferences = createPreferences();
  const frame = createFrame(preferences);
  return {
    host,
    reader,
    openPlayback,
    saving,
    preferences,
    frame,
    benchmarks: createBenchmarks(),
    checks: createChecks(),
    catalogue: createCatalogue(),
    commands: createCommands(),
    evidence: createEvidence(),
    form: createSettingsForm(frame),
    notices: createNotices(),
    overlays: createOverlays(),
    progress: createProgress(),
    questions: createQuestions(),
    runs: createRuns(),
    sweeps: createSweeps(reader),
    seeds: createSeeds(),
    spectra: createSpectraDesk(),
    tunings: createTunings(reader),
  };
}

export type Laboratory = ReturnType<typeof createLaboratory>;
