/** What drops and islands are set to. */
import { useRun } from '../../document/context.ts';
import type { SeenBy } from '../../document/scenario/changes.ts';
import { HIGHEST } from './round-tools.ts';
import { Stepper } from './stepper.tsx';
import { worldOf } from './world-state.ts';

const SEEN_BY: readonly { readonly id: SeenBy; readonly title: string }[] = [
  { id: 'truth', title: 'the truth alone' },
  { id: 'all', title: 'truth and members' },
  { id: 'each', title: 'each its own' },
];
const SEEN_BY_HELP =
  'The truth alone: a model error, of which no method knows. Truth and members: all know it. Each its own: every member has a drop that differs from the truth’s.';

interface RadiusProperties {
  readonly radius: number;
  readonly least: number;
  readonly most: number;
  readonly onRadius: (metres: number) => void;
}

function Radius({ radius, least, most, onRadius }: RadiusProperties) {
  return (
    <Stepper
      label="Radius"
      help="Where the height has fallen to 29 %; drag on the stage, or + and −"
      unit="m"
      value={radius}
      least={least}
      most={most}
      onValue={onRadius}
    />
  );
}

export function DropControls() {
  const { radius, setRadius, radiusLimits, height, setHeight, seenBy } = worldOf(useRun()).drop;
  const [least, most] = radiusLimits.value;
  return (
    <>
      <Radius radius={radius.value} least={least} most={most} onRadius={setRadius} />
      <Stepper
        label="Height"
        help="How far it raises the water in its middle; below zero it takes water away"
        unit="m"
        value={height.value}
        least={-HIGHEST}
        most={HIGHEST}
        onValue={setHeight}
      />
      <label class="world-choice" title={SEEN_BY_HELP}>
        <span class="label">Seen by</span>
        <select
          class="select"
          value={seenBy.value}
          onChange={(event) => {
            seenBy.value = event.currentTarget.value as SeenBy;
          }}
        >
          {SEEN_BY.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

export function IslandControls() {
  const world = worldOf(useRun());
  const { radius, setRadius, radiusLimits, height, setHeight, placed, confirm } = world.island;
  const [least, most] = radiusLimits.value;
  return (
    <>
      <Radius radius={radius.value} least={least} most={most} onRadius={setRadius} />
      <Stepper
        label="Height"
        help="How far it raises the bed in its middle"
        unit="m"
        value={height.value}
        least={0.001}
        most={HIGHEST}
        onValue={setHeight}
      />
      <button
        type="button"
        class="button primary"
        disabled={placed.value === undefined || world.refusalOf('island') !== undefined}
        title={placed.value ? 'Restarts the run with the island in its bed' : 'Place it on the stage first'}
        onClick={confirm}
      >
        Raise it and start again
      </button>
    </>
  );
}
