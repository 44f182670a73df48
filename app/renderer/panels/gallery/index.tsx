/** Where scenarios are found: those that ship, with a picture of their water; files opened lately; and any other file. */
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { previewScenario } from '../../../../engine/index.ts';
import type { Scenario } from '../../../../engine/index.ts';
import type { RecentFile } from '../../../host/host.ts';
import { Dialog } from '../../layout/dialog.tsx';
import { Icon } from '../../layout/icons.tsx';
import { BUNDLED_SCENARIOS, bundledScenario } from '../../state/bundled-scenarios.ts';
import { runCommand } from '../../state/commands.ts';
import { host } from '../../state/environment.ts';
import { kindTitle } from '../../state/method-style.ts';
import { notify } from '../../state/notices.ts';
import { openBundled, openFile } from '../../state/open-scenario.ts';
import { closeOverlay } from '../../state/overlays.ts';
import { origin } from '../../state/scenario-state.ts';
import './gallery.css';
import { paintPreview } from './picture.ts';
import type { Picture } from './picture.ts';

/** Pictures by scenario; 'none' where there can be none. */
const pictures = signal<ReadonlyMap<string, Picture | 'none'>>(new Map());

async function picture(name: string, scenario: Scenario): Promise<void> {
  let made: Picture | 'none' = 'none';
  try {
    const preview = await previewScenario(scenario);
    if (preview) made = paintPreview(preview);
  } catch {
    // A picture is a courtesy: what is wrong with the scenario is told when it is opened.
  }
  pictures.value = new Map(pictures.value).set(name, made);
}

/** Makes the pictures that are missing one after the other, so that the page stays alive in between. */
function usePictures(): void {
  useEffect(() => {
    let wanted = true;
    const make = async (): Promise<void> => {
      for (const { name } of BUNDLED_SCENARIOS) {
        if (!wanted) return;
        if (pictures.peek().has(name)) continue;
        await new Promise((resolve) => {
          setTimeout(resolve);
        });
        await picture(name, bundledScenario(name).scenario);
      }
    };
    void make();
    return () => {
      wanted = false;
    };
  }, []);
}

function tell(error: unknown): void {
  notify('error', 'The file cannot be opened', { lines: [error instanceof Error ? error.message : String(error)] });
}

export function Gallery() {
  usePictures();
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
      <div class="gallery-body">
        <Recent />
        <ul class="gallery-cards">
          {BUNDLED_SCENARIOS.map(({ name }) => (
            <li key={name}>
              <Card name={name} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function Card({ name }: { readonly name: string }) {
  const { title, description, grid, methods, experiment } = bundledScenario(name).scenario;
  const isOpen = origin.value.kind === 'bundled' && origin.value.name === `${name}.json`;
  const kinds = [...new Set(methods.map(({ kind }) => kindTitle(kind)))];
  return (
    <button
      type="button"
      class="gallery-card"
      aria-current={isOpen}
      onClick={() => {
        closeOverlay();
        void openBundled(name);
      }}
    >
      <Water name={name} />
      <span class="gallery-words">
        <strong>
          {title || name}
          {isOpen && <span class="count"> open</span>}
        </strong>
        <span class="gallery-text">{description}</span>
        <span class="label">
          {grid.nx} × {grid.ny} cells · {experiment.cycles} cycles · {kinds.join(', ')}
        </span>
      </span>
    </button>
  );
}

function Water({ name }: { readonly name: string }) {
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

async function openRecent(id: string): Promise<void> {
  const file = await host().openRecent(id);
  if (file) await openFile(file);
  else notify('warning', 'The file is no longer there');
}

function Recent() {
  const [recent, setRecent] = useState<readonly RecentFile[]>([]);
  useEffect(() => {
    host().recent().then(setRecent, tell);
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
                openRecent(id).catch(tell);
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
