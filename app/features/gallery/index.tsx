/**
 * Where scenarios are found: those that ship, in groups, with a picture of their water and all that they say of themselves;
 * files opened lately; and any other file.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { previewScenario, type Scenario } from '../../../engine/index.ts';
import type { RecentFile } from '../../host/host.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { nextTask } from '../../page/render-pace.ts';
import { Icon } from '../../controls/buttons.tsx';
import { lessonWords } from '../lessons/lesson-strip.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory, type Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { BUNDLED_SCENARIOS, groupScenarios, catalogueOf } from '../../document/scenario/bundled-scenarios.ts';
import { kindTitle } from '../../document/views/method-style.ts';
import { ScenarioWords } from '../about/index.tsx';
import './gallery.css';
import { paintPreview, type Picture } from '../../document/scenario/scenario-picture.ts';
import { openingOf } from '../opening/open-scenario.ts';
import { lessonOf } from '../lessons/lesson-state.ts';

async function picture(laboratory: Laboratory, name: string, scenario: Scenario): Promise<void> {
  const { pictures } = catalogueOf(laboratory);
  let made: Picture | 'none' = 'none';
  try {
    const preview = await previewScenario(scenario, nextTask);
    if (preview) made = await paintPreview(preview);
  } catch {
    // A picture is a courtesy: what is wrong with the scenario is reported when it is opened.
  }
  pictures.value = new Map(pictures.value).set(name, made);
}

/** Makes the pictures that are missing one after the other, so that the page stays alive in between. */
function usePictures(): void {
  const laboratory = useLaboratory();
  const { pictures, bundledScenario, readBundled } = catalogueOf(laboratory);
  useEffect(() => {
    let wanted = true;
    const make = async (): Promise<void> => {
      for (const { name } of BUNDLED_SCENARIOS) {
        if (!wanted) return;
        if (pictures.peek().has(name)) continue;
        await nextTask();
        await readBundled(name);
        const { scenario } = bundledScenario(name);
        await nextTask();
        await picture(laboratory, name, scenario);
      }
    };
    void make();
    return () => {
      wanted = false;
    };
  }, []);
}

/** The bundled scenario that is open, if it is one. */
function openName(run: RunView): string | undefined {
  const { origin } = run.scenario;
  const { kind, name } = origin.value;
  return kind === 'bundled' ? name.replace(/\.json$/, '') : undefined;
}

async function openScenario(laboratory: Laboratory, run: RunView, name: string, withLesson = false): Promise<void> {
  const { closeOverlay } = laboratory.overlays;
  const { openBundled } = openingOf(run);
  closeOverlay();
  if ((await openBundled(name)) && withLesson) lessonOf(run).open();
}

export function Gallery() {
  const {
    overlays: { closeOverlay },
    commands: { runCommand },
  } = useLaboratory();
  const run = useRun();
  usePictures();
  const names = BUNDLED_SCENARIOS.map(({ name }) => name);
  const [pointed, setPointed] = useState(openName(run) ?? names[0] ?? '');
  return (
    <Dialog label="Scenarios" class="gallery" onClose={closeOverlay}>
      <header class="gallery-head">
        <h2>Scenarios</h2>
        <button
          type="button"
          class="button"
          onClick={() => {
            closeOverlay();
            runCommand('file.open');
          }}
        >
          <Icon name="open" /> Open file…
        </button>
        <button type="button" class="icon-button" aria-label="Close" onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      <div class="gallery-panes">
        <div class="gallery-body">
          <Recent />
          {groupScenarios(names).map(({ title, names: grouped }) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              <ul class="gallery-cards">
                {grouped.map((name) => (
                  <li key={name}>
                    <Card name={name} isShown={name === pointed} onPoint={setPointed} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        {names.includes(pointed) && <Detail key={pointed} name={pointed} />}
      </div>
    </Dialog>
  );
}

interface CardProps {
  readonly name: string;
  /** Whether the pane beside the cards describes it. */
  readonly isShown: boolean;
  readonly onPoint: (name: string) => void;
}

function Card({ name, isShown, onPoint }: CardProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const isOpen = openName(run) === name;
  return (
    <button
      type="button"
      class="gallery-card"
      aria-current={isOpen}
      data-shown={isShown}
      autofocus={isOpen}
      onPointerEnter={() => onPoint(name)}
      onFocus={() => onPoint(name)}
      onClick={() => void openScenario(laboratory, run, name)}
    >
      <Water name={name} />
      <strong class="gallery-title">
        {catalogueOf(laboratory).bundledTitle(name)}
        {isOpen && <span class="count"> open</span>}
      </strong>
    </button>
  );
}

/** All that a scenario says of itself. */
function Detail({ name }: { readonly name: string }) {
  const laboratory = useLaboratory();
  const { bundledScenario } = catalogueOf(laboratory);
  const run = useRun();
  const { scenario } = bundledScenario(name);
  const { title, grid, methods, experiment } = scenario;
  const kinds = [...new Set(methods.map(({ kind }) => kindTitle(kind)))];
  return (
    <aside class="gallery-detail" aria-label="What the scenario is about">
      <h3>{title || name}</h3>
      <p class="label">
        {grid.nx} × {grid.ny} cells · {experiment.cycles} cycles · {kinds.join(', ')}
        {scenario.lesson.length > 0 && ` · ${lessonWords(scenario)}`}
      </p>
      <div class="gallery-words" tabIndex={0} role="region" aria-label={`About ${title || name}`}>
        <ScenarioWords scenario={scenario} />
      </div>
      <div class="gallery-ways">
        <button type="button" class="button primary" onClick={() => void openScenario(laboratory, run, name)}>
          Open this scenario
        </button>
        {scenario.lesson.length > 0 && (
          <button type="button" class="button" onClick={() => void openScenario(laboratory, run, name, true)}>
            <Icon name="lesson" /> With its lesson
          </button>
        )}
      </div>
    </aside>
  );
}

function Water({ name }: { readonly name: string }) {
  const { pictures } = catalogueOf(useLaboratory());
  const canvas = useRef<HTMLCanvasElement>(null);
  const made = pictures.value.get(name);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || made === undefined || made === 'none') return;
    element.width = made.width;
    element.height = made.height;
    element.getContext('2d')?.putImageData(new ImageData(made.pixels, made.width, made.height), 0, 0);
  }, [made]);
  return (
    <canvas ref={canvas} class={made === undefined ? 'gallery-water waiting' : 'gallery-water'} aria-hidden="true" />
  );
}

async function openRecent(laboratory: Laboratory, run: RunView, id: string): Promise<void> {
  const {
    host,
    notices: { notify },
  } = laboratory;
  const { openFile } = openingOf(run);
  const file = await host.openRecent(id);
  if (file) await openFile(file);
  else notify('warning', 'The file is no longer there');
}

function Recent() {
  const laboratory = useLaboratory();
  const {
    host,
    overlays: { closeOverlay },
  } = laboratory;
  const run = useRun();
  const [recent, setRecent] = useState<readonly RecentFile[]>([]);
  useEffect(() => {
    host.recent().then(setRecent, (error) => laboratory.notices.notifyFailure('The file cannot be opened', error));
  }, []);
  if (recent.length === 0) return null;
  return (
    <section aria-label="Opened lately">
      <h3>Opened lately</h3>
      <ul class="gallery-recent">
        {recent.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              class="button"
              onClick={() => {
                closeOverlay();
                openRecent(laboratory, run, id).catch((error) =>
                  laboratory.notices.notifyFailure('The file cannot be opened', error),
                );
              }}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
