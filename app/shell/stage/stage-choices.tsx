/** What can be chosen in the bar of the stage: the fields of the rows, the state of a method, ranges, what is drawn, the cameras. */
import { EXAGGERATIONS, MAXIMUM_ROWS } from '../../../engine/index.ts';
import { CommandButton } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import type { RangeMode } from '../../document/views/view-state.ts';
import { differenceOf } from '../../features/difference/index.ts';
import { errorRowOf } from '../../features/presenting/chrome.ts';
import { xrayOf } from '../../features/x-ray/xray-state.ts';
import { fieldIn, fieldOf, fieldsIn, isFieldId, withUnit } from '../../fields/fields.ts';
import { formatQuantity } from '../../format/numbers.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { CAMERAS } from './stage-commands.ts';

function FieldSelect({ row }: { readonly row: number }) {
  const { fields, setField, world } = useRun().view;
  const value = fields.value[row] ?? 'surface';
  return (
    <select
      class="stage-select"
      aria-label={row === 0 ? 'Field' : `Field of row ${String(row + 1)}`}
      title={fieldIn(world.value, value).description}
      value={value}
      onChange={(event) => {
        const id = event.currentTarget.value;
        if (isFieldId(id)) setField(id, row);
      }}
    >
      {fieldsIn(world.value).map(({ id, title, unit }) => (
        <option key={id} value={id}>
          {withUnit(title, unit)}
        </option>
      ))}
    </select>
  );
}

/** The fields of the rows. */
export function Rows() {
  const { fields, toggleRow, world } = useRun().view;
  const shown = fields.value;
  const free = fieldsIn(world.value).find(({ id }) => !shown.includes(id));
  return (
    <>
      {shown.map((id, row) => (
        <FieldSelect key={`${String(row)}-${id}`} row={row} />
      ))}
      {shown.length > 1 && (
        <button
          type="button"
          class="icon-button"
          aria-label="Remove the last row"
          title="Remove the last row"
          onClick={() => toggleRow(shown.at(-1) ?? 'surface')}
        >
          <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d="M3.500 8h9" />
          </svg>
        </button>
      )}
      {shown.length < MAXIMUM_ROWS && free && (
        <button
          type="button"
          class="icon-button"
          aria-label="Add a row with another field"
          title="Add a row with another field"
          onClick={() => toggleRow(shown.includes('error') ? free.id : 'error')}
        >
          <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d="M3.500 8h9M8 3.500v9" />
          </svg>
        </button>
      )}
    </>
  );
}

/** Whether views show fields, or what distinguishes them from those of one method. */
export function DifferenceSelect() {
  const run = useRun();
  const { difference } = run.view;
  const choices = differenceOf(run).choices.value;
  if (choices.length < 2 && difference.value === undefined) return null;
  return (
    <select
      class="stage-select"
      aria-label="Differences"
      title="Fields of the methods, or each method’s field minus that of one of them; a branch beside its run as well"
      value={difference.value ?? ''}
      onChange={({ currentTarget: { value } }) => {
        difference.value = value === '' ? undefined : value;
      }}
    >
      <option value="">Fields</option>
      {choices.map(({ label, title }) => (
        <option key={label} value={label}>{`− ${title}`}</option>
      ))}
    </select>
  );
}

function Toggle(properties: {
  readonly title: string;
  /** What it means, where the title does not say it. */
  readonly help?: string;
  readonly path: string;
  readonly pressed: boolean;
  readonly onToggle: () => void;
}) {
  const { title, help = title, path, pressed, onToggle } = properties;
  return (
    <button type="button" class="icon-button" aria-label={title} title={help} aria-pressed={pressed} onClick={onToggle}>
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={path} />
      </svg>
    </button>
  );
}

export function PhaseSelect() {
  const { phase } = useRun().view;
  return (
    <select
      class="stage-select"
      aria-label="State of the methods"
      value={phase.value}
      onChange={(event) => {
        phase.value = event.currentTarget.value === 'forecast' ? 'forecast' : 'analysis';
      }}
    >
      <option value="analysis">Analysis</option>
      <option value="forecast">Forecast</option>
    </select>
  );
}

/** How values become colours and heights. */
export function Scales() {
  const { rangeMode, fields, freeRunCounts, exaggeration } = useRun().view;
  return (
    <>
      <select
        class="stage-select"
        aria-label="Range of colours"
        title="Range of colours: shared by the views of a field and held for the run, of each view, or locked as it is now"
        value={rangeMode.value}
        onChange={(event) => {
          rangeMode.value = event.currentTarget.value as RangeMode;
        }}
      >
        <option value="shared">Shared range</option>
        <option value="auto">Own ranges</option>
        <option value="locked">Locked range</option>
      </select>
      {fields.value.some((id) => !fieldOf(id).ofTruth) && (
        <Toggle
          title="The free run counts in the ranges of errors"
          help="Errors, increments and spreads: their range of colours leaves the free run out, which dwarfs the others, unless this is pressed"
          path="M2 12.5c2-7 3.500-9 5-9s2.500 9 7 9M2 8h12"
          pressed={freeRunCounts.value}
          onToggle={() => {
            freeRunCounts.value = !freeRunCounts.value;
          }}
        />
      )}
      <select
        class="stage-select"
        aria-label="Vertical exaggeration"
        value={String(exaggeration.value)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          exaggeration.value = value === 'auto' ? 'auto' : Number(value);
        }}
      >
        <option value="auto">z auto</option>
        {EXAGGERATIONS.map((factor) => (
          <option key={factor} value={String(factor)}>{`z ×${String(factor)}`}</option>
        ))}
      </select>
    </>
  );
}

/** What the heads of the stems say. */
function observationsHelp(run: RunView): string {
  const { innovationAtFull } = stageOf(run);
  const full = innovationAtFull.value;
  const scale =
    full > 0 ? `, in full colour from ${formatQuantity(full, run.view.world.value?.isRing ? '' : 'm')} on` : '';
  return `Observations: brown where they lie above the forecast, blue where below${scale}`;
}

/** What else is drawn, and what a drag does. */
export function Toggles() {
  const run = useRun();
  const {
    view: { world, showsObservations, camerasLinked },
  } = run;
  const { cuttingTool, shownLook, toggleLook } = stageOf(run);
  const xray = xrayOf(run);
  const errorRow = errorRowOf(run);
  const { commands } = useLaboratory();
  return (
    <>
      {!world.value?.isRing && (
        <Toggle
          title="Water as it would look, with colours only where they say something"
          path="M8 2c2.6 3.2 4 5.3 4 7.2a4 4 0 0 1-8 0C4 7.3 5.4 5.2 8 2Z"
          pressed={shownLook.value === 'photoreal'}
          onToggle={toggleLook}
        />
      )}
      <Toggle
        title="Errors beneath the views (E)"
        path="M2.500 2.500h4v3.500h-4zM9.500 2.500h4v3.500h-4zM2.500 9.500c1.500-2 2.500 2 4 0M9.500 9.500c1.500-2 2.500 2 4 0M2.500 13.500h4M9.500 13.500h4"
        pressed={errorRow.isShown.value}
        onToggle={errorRow.toggle}
      />
      <Toggle
        title="Observations"
        help={observationsHelp(run)}
        path="M5 13V7M11 13V9M5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM11 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z"
        pressed={showsObservations.value}
        onToggle={() => {
          showsObservations.value = !showsObservations.value;
        }}
      />
      <Toggle
        title="Draw a cross-section by dragging (or Shift and drag; C at the crosshair)"
        path="M2.5 13.500 13.500 2.500M4 8.500v5h5M7 2.500h6.500V9"
        pressed={cuttingTool.value}
        onToggle={() => {
          cuttingTool.value = !cuttingTool.value;
        }}
      />
      <Toggle
        title="X-ray (X): why is the analysis here what it is?"
        path="M2.500 5.500v-3h3M10.500 2.500h3v3M13.500 10.500v3h-3M5.500 13.500h-3v-3M8 5.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600ZM8 8v.01"
        pressed={xray.isOn.value}
        onToggle={() => void commands.runCommand('stage.xray')}
      />
      <Toggle
        title="Cameras move together"
        path="M6.500 9.500a3 3 0 0 1 0-4l2-2a3 3 0 0 1 4 4l-1 1M9.500 6.500a3 3 0 0 1 0 4l-2 2a3 3 0 0 1-4-4l1-1"
        pressed={camerasLinked.value}
        onToggle={() => {
          camerasLinked.value = !camerasLinked.value;
        }}
      />
    </>
  );
}

/** Where the cameras are, and where they can go. */
export function CameraChoice() {
  const { commands } = useLaboratory();
  const { camera, world } = useRun().view;
  const kind = camera.value;
  return (
    <select
      class="stage-select"
      aria-label="Camera"
      title="Camera: drag to turn it, drag with the right button to move it, scroll to zoom"
      value={kind ?? ''}
      onChange={(event) => void commands.runCommand(`stage.camera-${event.currentTarget.value}`)}
    >
      {kind === undefined && <option value="">Camera moved by hand</option>}
      {CAMERAS.filter(({ id, ofWater }) => id === kind || (id !== 'stage' && !(ofWater && world.value?.isRing))).map(
        ({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ),
      )}
    </select>
  );
}

/** What is saved of the stage. */
export function Recordings() {
  return (
    <>
      <CommandButton command="stage.save-picture" icon="picture" />
      <CommandButton command="stage.film" icon="film" />
      <CommandButton command="stage.own-window" icon="own-window" class="icon-button full-only" />
    </>
  );
}
