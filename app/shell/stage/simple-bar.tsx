/** The cameras of the stage's bar, and the few buttons that a newcomer has in it. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import type { CameraPreset } from '../../document/views/cameras.ts';
import { toolsIn } from '../../features/world/tools.ts';

const PRESETS: readonly { readonly id: CameraPreset; readonly title: string; readonly path: string }[] = [
  { id: 'perspective', title: 'Oblique view', path: 'M8 2.5 14 6v5l-6 3-6-3V6zM2 6l6 3 6-3M8 9v5' },
  { id: 'top', title: 'View from the top', path: 'M3 3h10v10H3zM8 5.5v5M5.5 8h5' },
  { id: 'front', title: 'View from the front (south)', path: 'M2 8.5c2-2 4-2 6 0s4 2 6 0M2 4v9h12V4' },
  { id: 'side', title: 'View from the side (east)', path: 'M13 3v10M13 8H4M7 5 4 8l3 3' },
];

/** The sign of a camera. */
function PresetSign({ path }: Pick<(typeof PRESETS)[number], 'path'>) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

export function Presets() {
  const { moveCameras } = useRun().view;
  return (
    <>
      {PRESETS.map(({ id, title, path }) => (
        <button
          key={id}
          type="button"
          class="icon-button"
          aria-label={title}
          title={title}
          onClick={() => moveCameras(id)}
        >
          <PresetSign path={path} />
        </button>
      ))}
    </>
  );
}

/** @returns the preset after the one that was chosen last */
function presetAfter(preset: CameraPreset): (typeof PRESETS)[number] {
  return PRESETS[(PRESETS.findIndex(({ id }) => id === preset) + 1) % PRESETS.length];
}

/** What a newcomer has in the bar beside the field: the camera, the stone, and the way to everything else. */
export function SimpleBar() {
  const {
    view: { moveCameras, world },
  } = useRun();
  const [preset, setPreset] = useState<CameraPreset>('perspective');
  const next = presetAfter(preset);
  return (
    <div class="stage-bar-simple learner-only">
      <button
        type="button"
        class="button"
        title={`Next camera: ${next.title.toLowerCase()}`}
        onClick={() => {
          setPreset(next.id);
          moveCameras(next.id);
        }}
      >
        <PresetSign path={next.path} />
        Camera
      </button>
      {toolsIn(world.value).includes('drop') && (
        <CommandButton command="world.drop" class="button">
          Throw a stone
        </CommandButton>
      )}
      <CommandButton command="view.full" class="button">
        More
      </CommandButton>
    </div>
  );
}
