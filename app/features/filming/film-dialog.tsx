/** The dialog in which a film is chosen, made frame by frame from the stored cycles, and saved. */
import { signal, type Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { StoppedError } from '../../../engine/index.ts';
import { Dialog, DialogField, PageFailure, PageProgress } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import { formatBytes, formatDuration } from '../../format/numbers.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { saveFile } from '../../page/notices.ts';
import { FILM_SIZES, type FilmSize } from '../../stage/export.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { wordsNow } from '../../stage/view-words.ts';
import type { FilmFile } from './film.ts';
import { choiceProblems, filmFrames, type FilmChoice, type TypedChoice } from './film-choice.ts';

const TITLE = 'Make a film';
const RATES = [30, 60, 25, 24];

/** What was typed in this page. */
interface Choice extends TypedChoice {
  readonly size: FilmSize;
  readonly rate: number;
}

interface Making {
  readonly begun: number;
  readonly done: number;
  readonly frames: number;
}

function progressWords({ begun, done, frames }: Making): string {
  if (done === 0) return 'Preparing';
  const seconds = (((performance.now() - begun) / done) * (frames - done)) / 1000;
  return `about ${formatDuration(seconds)} left`;
}

interface MadeFilm extends FilmFile {
  readonly name: string;
}

/** The film that was made last, until another one is made: it is saved by a click, which browsers demand, and may be saved again. */
function createMade(): Signal<MadeFilm | undefined> {
  return signal(undefined);
}

/** Makes the film. */
function useFilming() {
  const laboratory = useLaboratory();
  const run = useRun();
  const made = run.use(createMade);
  const [making, setMaking] = useState<Making>();
  const [failure, setFailure] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const make = async (choice: FilmChoice): Promise<void> => {
    const stage = stageOf(run).currentStage.value;
    if (!stage) {
      setFailure('The stage shows nothing yet.');
      return;
    }
    const controller = new AbortController();
    stop.current = controller;
    const frames = filmFrames(choice, run.course.shownCycles.value);
    const begun = performance.now();
    made.value = undefined;
    setFailure(undefined);
    setMaking({ begun, done: 0, frames });
    try {
      const { makeFilm } = await import('./film.ts');
      const film = await makeFilm(run, stage, (frame) => wordsNow(laboratory, run, frame), choice, {
        signal: controller.signal,
        onFrame: (done) => setMaking({ begun, done, frames }),
      });
      const name = run.course.info.value?.scenario.name ?? 'shoal';
      made.value = { ...film, name: `${name}-cycles-${choice.from}-${choice.to}.${film.ending}` };
    } catch (error) {
      if (!(error instanceof StoppedError)) {
        setFailure(`The film was not made: ${error instanceof Error ? error.message : String(error)}.`);
      }
    } finally {
      setMaking(undefined);
    }
  };
  const save = async ({ name, type, bytes }: MadeFilm): Promise<void> => {
    try {
      if (await saveFile(laboratory, name, type, bytes)) laboratory.overlays.closeOverlay();
    } catch (error) {
      setFailure(`The film was not saved: ${error instanceof Error ? error.message : String(error)}.`);
    }
  };
  return { making, made: made.value, failure, make, save, cancel: () => stop.current?.abort() };
}

function FilmForm({ onClose }: { readonly onClose: () => void }) {
  const { shownCycles, speed } = useRun().course;
  const shown = shownCycles.value.filter((cycle) => cycle >= 0);
  const [choice, setChoice] = useState<Choice>({
    from: String(shown[0] ?? ''),
    to: String(shown.at(-1) ?? ''),
    secondsPerCycle: String(1 / speed.value),
    size: '1080p',
    rate: RATES[0],
  });
  const { making, made, failure, make, save, cancel } = useFilming();
  const change = (part: Partial<Choice>): void => setChoice({ ...choice, ...part });
  const problems = choiceProblems(choice, shown);
  const isPossible = shown.length > 1 && Object.keys(problems).length === 0;
  const asked: FilmChoice = {
    ...choice,
    from: Number(choice.from),
    to: Number(choice.to),
    secondsPerCycle: Number(choice.secondsPerCycle),
  };
  const frames = filmFrames(asked, shown);
  return (
    <form
      class="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPossible) void make(asked);
      }}
    >
      <h2>{TITLE}</h2>
      <p class="dialog-words">
        The stage as it is, with its fields, cameras and titles, from cycle to cycle. Each frame is drawn by itself: the
        film is smooth however long a frame takes.
      </p>
      <fieldset class="dialog-fields" disabled={making !== undefined}>
        <DialogField
          label="From cycle"
          problem={problems.from}
          value={choice.from}
          onInput={(from) => change({ from })}
        />
        <DialogField label="To cycle" problem={problems.to} value={choice.to} onInput={(to) => change({ to })} />
        <DialogField
          label="Seconds for each cycle"
          problem={problems.secondsPerCycle}
          value={choice.secondsPerCycle}
          onInput={(secondsPerCycle) => change({ secondsPerCycle })}
        />
        <label class="dialog-field">
          Size
          <select
            class="input"
            value={choice.size}
            onChange={({ currentTarget }) => change({ size: currentTarget.value as FilmSize })}
          >
            {Object.entries(FILM_SIZES).map(([id, { width, height }]) => (
              <option key={id} value={id}>{`${width} × ${height}`}</option>
            ))}
          </select>
        </label>
        <label class="dialog-field">
          Frames a second
          <select
            class="input"
            value={String(choice.rate)}
            onChange={({ currentTarget }) => change({ rate: Number(currentTarget.value) })}
          >
            {RATES.map((rate) => (
              <option key={rate} value={String(rate)}>
                {rate}
              </option>
            ))}
          </select>
        </label>
      </fieldset>
      <div class="dialog-outlook" role="status">
        {making ? (
          <PageProgress
            label="Frames of the film"
            value={making.done}
            max={making.frames}
            count={`${making.done} of ${making.frames}`}
            words={progressWords(making)}
            onCancel={cancel}
          />
        ) : (
          <p>
            {isPossible
              ? `${frames} frames, ${formatDuration(frames / asked.rate)} of film. `
              : shown.length < 2 && 'A film needs two cycles: let the run play first. '}
            {made && `${made.name} is ready: ${formatBytes(made.bytes.length)}.`}
          </p>
        )}
        <PageFailure message={failure} />
      </div>
      <div class="dialog-answers">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        <button type="submit" class={made ? 'button' : 'button primary'} disabled={!isPossible || making !== undefined}>
          {TITLE}
        </button>
        {made && (
          <button type="button" class="button primary" onClick={() => void save(made)}>
            Save the film…
          </button>
        )}
      </div>
    </form>
  );
}

export function FilmDialog() {
  const { closeOverlay } = useLaboratory().overlays;
  return (
    <Dialog label={TITLE} first="input" onClose={closeOverlay}>
      <FilmForm onClose={closeOverlay} />
    </Dialog>
  );
}
