/** The choice of a camera in the stage's bar, and the few controls that a newcomer has in it. */
import { CommandButton } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { toolsIn } from '../../features/world/tools.ts';
import { CAMERAS } from './stage-commands.ts';

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

/** What a newcomer has in the bar beside the field: the camera, the stone, and the way to everything else. */
export function SimpleBar() {
  const { world } = useRun().view;
  return (
    <div class="stage-bar-simple learner-only">
      <CameraChoice />
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
