/** Starts the interface: surroundings, state, commands, the window, and the first run. */
import '../workers/strict-policy.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { effect, untracked } from '@preact/signals';
import { options, render } from 'preact';
import { App } from './app.tsx';
import { releaseRenders, createRenderPace, listenForTouches, nextTask, wait } from '../page/render-pace.ts';
import { keepRuns } from '../features/runs/keep-runs.ts';
import { createRunStore } from '../features/runs/stored-runs.ts';
import { createSavingOf, savingParts } from '../features/saving/write-states.ts';
import { openRunIn } from '../document/run/open-run.ts';
import { createPageGpu, findAdapter } from '../document/compute/page-gpu.ts';
import { createDraftStore, type DraftStore, type RecoveryStore } from '../document/recovery/recovery-store.ts';
import { createRecoveryStore, isRecovering, keepRecovery, takeRecovery } from '../document/recovery/recovery.ts';
import type { KeepsRecovery } from '../document/run/keeper-contract.ts';
import type { RunWorkers } from '../document/compute/early-worker.ts';
import { drawThreads, runPort } from '../document/compute/workers.ts';
import { openHdf5 } from '../workers/hdf5.ts';
import { keepSettingsDescribed } from './settings/index.tsx';
import { registerAppCommands, listenForShortcuts } from './commands/index.ts';
import { FIRST_SCENARIO, catalogueOf } from '../document/scenario/bundled-scenarios.ts';
import { RunContext } from '../document/context.ts';
import { LaboratoryContext, createLaboratory, given, type Laboratory } from '../page/laboratory.ts';
import { followViewport } from '../page/frame-sizes.ts';
import { showOwnPanels } from './own-panel.tsx';
import { keepDraft, continueDraft, offerDraft, takeDraft, openRecovery } from '../features/opening/open-kept.ts';
import { DENSITIES, rememberPreferences, type Preferences } from '../page/preferences.ts';
import { createRunView, type RunView } from '../document/run-view.ts';
import './styles/base.css';
import './styles/controls.css';
import './styles/frame.css';
import { openingStoneOf } from '../features/opening/opening-stone.ts';
import { openingOf } from '../features/opening/open-scenario.ts';
import { lessonOf } from '../features/lessons/lesson-state.ts';
import { stageOf } from '../stage/stage-state.ts';
import { chartsOf } from '../figures/chart-state.ts';
import { xrayOf } from '../features/x-ray/xray-state.ts';
import { worldOf } from '../features/world/world-state.ts';
import { insideOf } from '../features/inside/inside.ts';
import { chromeOf, followChrome, followFullscreen } from '../features/presenting/chrome.ts';
import { followCourse } from '../features/course/index.tsx';
import { demonstrationOf } from '../features/presenting/demonstration.ts';
import { lessonEditsOf } from '../features/lessons/lesson-edits.ts';
import type { ShoalBridge } from '../preload/bridge.ts';
import { createBrowserHost } from '../host/browser.ts';
import { createElectronHost } from '../host/electron.ts';
import type { Host } from '../host/host.ts';

/** The host that this page has. */
function createHost(): Host {
  const { shoal } = globalThis as { readonly shoal?: ShoalBridge };
  return shoal ? createElectronHost(shoal) : createBrowserHost();
}

/** Once a window has been open for so long its first pictures are drawn, ms. */
const SETTLING = 3000;

/** Cycles a second at first, where motion is to be reduced. */
const CUT_SPEED = 2;

/** Keeps a signal at what a media query says. */
function followMedia(query: string, target: { value: boolean }): void {
  const list = window.matchMedia(query);
  target.value = list.matches;
  list.addEventListener('change', ({ matches }) => {
    target.value = matches;
  });
}

function followState(laboratory: Laboratory, run: RunView): void {
  const {
    scenario: { appliedScenario },
    edits,
  } = run;
  const { host, preferences } = laboratory;
  const { full, presentation, resolvedTheme } = preferences;
  const { unsaved } = edits;
  effect(() => {
    const { dataset } = document.documentElement;
    dataset['theme'] = resolvedTheme.value;
    dataset['presentation'] = String(presentation.value);
    dataset['full'] = String(full.value);
    // Its words and what it shows have the window.
    dataset['lesson'] = String(lessonOf(run).isTold.value);
    dataset['chrome'] = chromeOf(laboratory).isShown.value || !presentation.value ? 'shown' : 'hidden';
  });
  effect(() => {
    const scenario = appliedScenario.value;
    const name = scenario && (scenario.title || scenario.name);
    host.setTitle(name ? `${unsaved.value ? '• ' : ''}${name} – Shoal` : 'Shoal');
  });
  effect(() => host.setUnsaved(unsaved.value));
}

function isDemonstration(search: string): boolean {
  return new URLSearchParams(search).get('view') === 'demo';
}

/** Takes the view that the page’s address names: `?view=stage`. */
function chooseFromAddress({ chooseDensity }: Preferences, search: string): void {
  const named = new URLSearchParams(search).get('view');
  const density = DENSITIES.find((each) => each === named);
  if (density) chooseDensity(density);
}

/** Says once why the processor has only one thread here, where a run is computed on it. */
function tellLimitation({ host: { limitation }, notices: { notify } }: Laboratory, { course }: RunView): void {
  if (limitation === undefined) return;
  const stop = effect(() => {
    if (course.info.value?.backend.name !== 'wasm') return;
    untracked(() => notify('warning', 'The processor computes on one thread here', { lines: [limitation] }));
    queueMicrotask(() => stop());
  });
}

/** The first press or key ends what the first minute does by itself. */
function noticeFirstTouch({ touched }: Pick<Preferences, 'touched'>): void {
  const touch = (): void => {
    touched.value = true;
    window.removeEventListener('pointerdown', touch, true);
    window.removeEventListener('keydown', touch, true);
  };
  window.addEventListener('pointerdown', touch, true);
  window.addEventListener('keydown', touch, true);
}

/** Leaves the checkpoints of the run for a page that has to continue after this one. */
function keepsRecovery(run: () => RunView, kept: RecoveryStore): KeepsRecovery {
  return (files) => {
    const keep = keepRecovery(files, () => lessonOf(run()).kept(), kept);
    // What computes the run knows nothing of its branches.
    return (checkpoint, scenario) => keep(checkpoint, { ...scenario, branches: [...run().edits.branches.peek()] });
  };
}

/** Opens the scenario that greets: what that needs is made ready piece by piece, each in a task that no touch has to wait for. */
async function greet(run: RunView): Promise<void> {
  openingStoneOf(run).prepare();
  await catalogueOf(run.laboratory).readBundled(FIRST_SCENARIO);
  await nextTask();
  await openingOf(run).openBundled(FIRST_SCENARIO);
  await nextTask();
}

/**
 * Opens the first run: the demonstration, the run that a broken page left, what the page's address links to, or the scenario that
 * greets.
 *
 * @param draw draws the window
 */
async function openFirst(
  { host, notices }: Laboratory,
  run: RunView,
  store: RecoveryStore,
  drafts: DraftStore,
  draw: () => void,
): Promise<void> {
  if (isDemonstration(location.search)) {
    draw();
    demonstrationOf(run).start();
    return;
  }
  const draft = takeDraft(drafts);
  const { givenLink } = host;
  const greets = !isRecovering(location.search) && givenLink === undefined;
  // It is computed while the window is drawn; whatever else takes long to be read, and waits until the window is on screen.
  if (greets) await greet(run);
  draw();
  await nextTask();
  const isRecovered =
    isRecovering(location.search) && openRecovery(notices, run, await takeRecovery(location.search, store));
  if (isRecovered) continueDraft(run, await draft);
  else if (!greets && (givenLink === undefined || !(await openingOf(run).openLink(givenLink)))) {
    await greet(run);
  }
  const kept = await draft;
  if (kept && !isRecovered) offerDraft(notices, run, drafts, kept);
  keepDraft(run, drafts, crypto.randomUUID());
}

/** Where the processor draws and computes, what it computes is shown less often. @returns what listens to users in another window */
function paceRendering(run: RunView): (view: Window) => void {
  const { processorIsBusy } = run.course;
  const { currentStage } = stageOf(run);
  const pace = createRenderPace(() => processorIsBusy.peek() && currentStage.peek()?.inSoftware === true);
  options.debounceRendering = (renderQueued) => pace.schedule(renderQueued);
  const listen = (view: Window): void => listenForTouches(view, () => pace.touch());
  listen(window);
  return listen;
}

/** Makes the features that follow a run from its beginning. */
function startFeatures(run: RunView): void {
  for (const feature of [chartsOf, stageOf, xrayOf, insideOf, lessonOf, lessonEditsOf, openingOf, worldOf])
    feature(run);
}

/** @param runWorkers in which the processor computes runs */
export async function start(runWorkers: RunWorkers): Promise<void> {
  const root = document.getElementById('app');
  if (!root) throw new Error('index.html has no element #app');
  const host = createHost();
  const openRun = openRunIn({
    findAdapter: () => findAdapter(),
    openGpu: createPageGpu(),
    startWorker: (backend) => runPort(runWorkers.take(backend)),
    drawThreads,
    openHdf5,
  });
  const laboratory = createLaboratory({ host, given: [given(createSavingOf, savingParts(openRun))] });
  const { commands, frame, notices, preferences } = laboratory;
  window.addEventListener('unhandledrejection', ({ reason }) => notices.notifyFailure('Something went wrong', reason));
  followMedia('(prefers-color-scheme: dark)', preferences.systemIsDark);
  followMedia('(prefers-reduced-motion: reduce)', preferences.reducedMotion);
  followViewport(frame, window);
  rememberPreferences(preferences, host);
  chooseFromAddress(preferences, location.search);
  const store = createRecoveryStore();
  const run: RunView = createRunView(laboratory, openRun, {
    keepsRecovery: keepsRecovery(() => run, store),
    repeats: () => !preferences.touched.value,
    opening: () => openingStoneOf(run).fall(),
  });
  startFeatures(run);
  await nextTask();
  followCourse(run, () => demonstrationOf(run).isOn.value);
  // Where the water does not move between analyses there is nothing to be seen for so long.
  if (preferences.reducedMotion.value) run.course.speed.value = CUT_SPEED;
  registerAppCommands(laboratory, run);
  followState(laboratory, run);
  tellLimitation(laboratory, run);
  noticeFirstTouch(preferences);
  keepRuns(laboratory, run, createRunStore());
  followChrome(laboratory, window);
  followFullscreen(laboratory, document);
  listenForShortcuts(laboratory, window);
  const listenForTouch = paceRendering(run);
  releaseRenders();
  showOwnPanels(laboratory, run, listenForTouch);
  host.onCommand((command) => void commands.runCommand(command));
  const draw = (): void =>
    render(
      <LaboratoryContext.Provider value={laboratory}>
        <RunContext.Provider value={run}>
          <App />
        </RunContext.Provider>
      </LaboratoryContext.Provider>,
      root,
    );
  await nextTask();
  void findAdapter().then((adapter) => {
    const isGpu = adapter !== undefined && !adapter.software;
    host.tellGraphics(isGpu);
    if (isGpu) runWorkers.end();
  });
  // A file that is handed over comes after the first run, which would otherwise end it.
  void openFirst(laboratory, run, store, createDraftStore(), draw).finally(() => {
    void wait(SETTLING).then(() => keepSettingsDescribed(run));
    host.onOpen(
      (file) => void openingOf(run).openFile(file),
      (error) => notices.notifyFailure('The file cannot be opened', error),
      ({ content }) => {
        content.then(
          (folder) => openingOf(run).openRunFolder(folder),
          (error: unknown) => notices.notifyFailure('The run cannot be opened', error),
        );
      },
    );
    host.onLink((link) => void openingOf(run).openLink(link));
  });
}
