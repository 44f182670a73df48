/** The bar: which scenario, where in it, what computes it, and what the window can do. */
import { CommandButton, commandHint, Icon, type IconName } from '../../controls/buttons.tsx';
import { LessonButton } from '../../features/lessons/lesson-strip.tsx';
import { CourseButton, shippedName } from '../../features/course/index.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { DENSITIES, type Density, type Theme } from '../../page/preferences.ts';
import { reachedText } from '../../document/run/player.ts';
import { SPEEDS } from '../../document/run/run-course.ts';
import { formatDuration, formatModelTime } from '../../format/numbers.ts';
import './top-bar.css';

/** Where a run is. */
interface CycleBounds {
  /** Cycles that can be shown, ascending; −1 is the state before the first. */
  readonly shownCycles: readonly number[];
  /** The last cycle of the run, computed or not. */
  readonly last: number;
  /** Whether further cycles can be computed. */
  readonly goesOn: boolean;
}

type TypedCycle =
  | { readonly kind: 'show'; readonly cycle: number }
  | { readonly kind: 'ahead'; readonly cycle: number }
  | { readonly kind: 'thinned'; readonly cycle: number }
  | { readonly kind: 'none'; readonly message: string };

/** What the field shows for the state before the first cycle, and what can be typed for it. */
const START = 'start';

/** @returns the text of a cycle in the field and in the bar */
export function cycleText(cycle: number): string {
  return cycle < 0 ? START : String(cycle);
}

/** @returns what to do about a text in the field of the cycle; undefined for an empty one */
export function typedCycle(text: string, { shownCycles, last, goesOn }: CycleBounds): TypedCycle | undefined {
  const plain = text.trim().toLowerCase().replace('−', '-');
  if (plain === '') return undefined;
  const number = plain === START ? -1 : Number(plain);
  if (!Number.isInteger(number) || number < -1 || number > last) {
    return { kind: 'none', message: `Found ${text.trim()}; allowed: cycles 0 to ${last}, or “${START}”.` };
  }
  if (shownCycles.includes(number)) return { kind: 'show', cycle: number };
  const newest = shownCycles.at(-1) ?? -1;
  if (number < newest) return { kind: 'thinned', cycle: number };
  if (goesOn) return { kind: 'ahead', cycle: number };
  return { kind: 'none', message: `Cycle ${number} is not computed, and the run cannot continue.` };
}

function ScenarioName() {
  const laboratory = useLaboratory();
  const { overlay, openOverlay } = laboratory.overlays;
  const {
    scenario: { draftScenario, appliedScenario },
    edits: { unsaved },
  } = useRun();
  const scenario = draftScenario.value ?? appliedScenario.value;
  const title = scenario?.title === '' ? scenario.name : (scenario?.title ?? 'No scenario');
  return (
    <button
      type="button"
      class="icon-button scenario-name"
      title={commandHint(laboratory, 'file.gallery')}
      aria-haspopup="dialog"
      aria-expanded={overlay.value === 'gallery'}
      onClick={() => openOverlay('gallery')}
    >
      <span class="scenario-title">{title}</span>
      {unsaved.value && (
        <span class="unsaved" title="Changed and not saved">
          <span class="visually-hidden">changed and not saved</span>
        </span>
      )}
      <Icon name="chevron" />
    </button>
  );
}

export function PlayButton({ class: className = 'icon-button' }: { readonly class?: string }) {
  const laboratory = useLaboratory();
  const { runCommand } = laboratory.commands;
  const { playing, info } = useRun().course;
  const name = playing.value ? 'Pause' : 'Play';
  return (
    <button
      type="button"
      class={className}
      aria-label={name}
      title={commandHint(laboratory, 'run.play', name)}
      disabled={info.value === undefined}
      onClick={() => void runCommand('run.play')}
    >
      <Icon name={playing.value ? 'pause' : 'play'} />
    </button>
  );
}

export function Speed() {
  const { playing, reachedSpeed, speed } = useRun().course;
  const reached = playing.value ? reachedText(speed.value, reachedSpeed.value) : undefined;
  const why = reached === undefined ? '' : `; ${reached}, because cycles take longer to compute`;
  return (
    <label class="speed" title={`Cycles a second that playing aims at${why}`}>
      <span class="visually-hidden">Speed, cycles a second</span>
      <select
        class="select number"
        value={String(speed.value)}
        onChange={(event) => {
          speed.value = Number(event.currentTarget.value);
        }}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={String(each)}>
            {each}/s
          </option>
        ))}
      </select>
      <span class="label number speed-reached">{reached}</span>
    </label>
  );
}

function Clock() {
  const {
    course: { plannedCycles, cycle, currentSnapshot },
    scenario: { appliedScenario },
    view: { world },
  } = useRun();
  const cycles = plannedCycles.value;
  const width = Math.max(START.length, String(cycles).length);
  const { text, unit } = formatModelTime(currentSnapshot.value?.timeSeconds ?? 0, world.value);
  const longest = formatModelTime(cycles * (appliedScenario.value?.experiment.window ?? 1), world.value).text.length;
  return (
    <div class="clock" role="group" aria-label="Cycle and model time">
      <span title={cycle.value < 0 ? 'The state before the first cycle' : 'The cycle on screen'}>
        <span class="label">cycle</span>
        <span class="number" style={{ minWidth: `${width}ch` }}>
          {cycleText(cycle.value)}
        </span>
      </span>
      <span title="Model time since the first cycle began">
        <span class="label">time</span>
        <span class="number" style={{ minWidth: `${longest}ch` }}>
          {text}
        </span>
        <span class="label">{unit}</span>
      </span>
    </div>
  );
}

function Work() {
  const { longWork } = useLaboratory().progress;
  const [work] = longWork.value;
  if (!work) return null;
  const { title, share, secondsLeft, cancel } = work;
  return (
    <div class="work">
      <span class="label">
        <span role="status">{title}</span>
        {secondsLeft !== undefined && `, ${formatDuration(secondsLeft)} left`}
      </span>
      <progress aria-label={title} {...(share !== undefined && { value: share })} max={1} />
      {cancel && (
        <button type="button" class="icon-button" aria-label={`Cancel ${title.toLowerCase()}`} onClick={cancel}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

const BACKENDS: Readonly<Record<string, string>> = { webgpu: 'WebGPU', reference: 'CPU', wasm: 'CPU, SIMD' };

function Backend() {
  const { limitation } = useLaboratory().host;
  const { info, status } = useRun().course;
  const backend = info.value?.backend;
  if (status.value === 'opening') {
    return (
      <div class="backend" role="status">
        <span class="label">Preparing…</span>
      </div>
    );
  }
  if (!backend) return <div class="backend" />;
  const limit = backend.name === 'wasm' ? limitation : undefined;
  return (
    <div class="backend" title={[backend.adapter, backend.reason, ...(limit === undefined ? [] : [limit])].join('\n')}>
      <span class={`lamp lamp-${status.value}`} />
      <span>{BACKENDS[backend.name] ?? backend.name}</span>
      <span class="label adapter">
        {backend.adapter}
        {limit !== undefined && ', one thread'}
      </span>
    </div>
  );
}

const DENSITY_TITLES: Readonly<Record<Density, string>> = {
  stage: 'Stage',
  learner: 'Learner',
  researcher: 'Researcher',
};

/** How much of the window is on screen. */
function DensityChoice() {
  const { density, chooseDensity } = useLaboratory().preferences;
  return (
    <select
      class="select density"
      aria-label="View for"
      title="Stage: the basins fill the screen. Learner: what one needs first. Researcher: all controls."
      value={density.value}
      onChange={({ currentTarget: { value } }) => {
        const chosen = DENSITIES.find((each) => each === value);
        if (chosen) chooseDensity(chosen);
      }}
    >
      {DENSITIES.map((each) => (
        <option key={each} value={each}>
          {DENSITY_TITLES[each]}
        </option>
      ))}
    </select>
  );
}

const THEME_ICONS: Readonly<Record<Theme, IconName>> = { dark: 'moon', light: 'sun', system: 'system' };

export function TopBar() {
  const laboratory = useLaboratory();
  const {
    preferences: { theme },
    commands: { runCommand },
  } = laboratory;
  return (
    <header class="top-bar">
      <div class="top-bar-start">
        <h1 class="product">Shoal</h1>
        <ScenarioName />
        <LessonButton isFullOnly={shippedName(useRun()) !== undefined} />
        <CourseButton />
      </div>
      <div class="top-bar-middle">
        <div class="transport full-only" role="group" aria-label="Transport">
          <CommandButton command="run.step-back" icon="step-back" />
          <PlayButton />
          <CommandButton command="run.step-forward" icon="step-forward" />
          <Speed />
        </div>
        <Clock />
      </div>
      <div class="top-bar-end">
        <Work />
        <div class="top-bar-further full-only">
          <Backend />
          <CommandButton command="file.copy-link" icon="share" />
        </div>
        <CommandButton command="view.palette" icon="search" />
        <button
          type="button"
          class="icon-button full-only"
          aria-label={`Theme: ${theme.value}`}
          title={commandHint(laboratory, 'view.theme', `Theme: ${theme.value}`)}
          onClick={() => void runCommand('view.theme')}
        >
          <Icon name={THEME_ICONS[theme.value]} />
        </button>
        <CommandButton command="help.shortcuts" icon="help" class="icon-button full-only" />
        <DensityChoice />
      </div>
    </header>
  );
}
