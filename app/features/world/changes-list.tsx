/** All that was changed of the run on its way, in the settings: what, from which cycle on, and a button that takes it out. */
import { useId } from 'preact/hooks';
import { describeIntervention, type Intervention, type Scenario } from '../../../engine/index.ts';
import { Icon } from '../../controls/buttons.tsx';
import { FoldTitle } from '../../form/number-field.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import './world.css';
import { worldOf } from './world-state.ts';

/** The key of the group among those of the settings, which is the path of what it shows. */
const KEY = 'interventions';

/** @returns what taking a change out does to the run */
function takingOut({ kind, cycle }: Intervention, nextCycle: number): string {
  if (kind === 'island') return 'the run restarts without it';
  if (cycle >= nextCycle && kind !== 'setting') return 'it has not taken effect yet';
  return `the run goes back: cycle ${cycle} comes next`;
}

interface ChangeProperties {
  readonly change: Intervention;
  /** Among those of the run. */
  readonly index: number;
  readonly scenario: Scenario;
}

function Change({ change, index, scenario }: ChangeProperties) {
  const { course } = useRun();
  const world = worldOf(useRun());
  const nextCycle = course.newestCycle.value + 1;
  const words = describeIntervention(scenario, change);
  const waits = change.cycle >= nextCycle && change.kind !== 'island';
  return (
    <li class="change" data-waits={waits}>
      <span class="number change-cycle">{change.kind === 'island' ? 'bed' : change.cycle}</span>
      <span class="change-words">
        {words}
        {waits && <span class="label"> waits for cycle {change.cycle}</span>}
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label={`Take out: ${words}`}
        title={`Take it out: ${takingOut(change, nextCycle)}`}
        onClick={() => void world.takeOut(index, words)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

export function ChangesList() {
  const { openGroups, openGroup } = useLaboratory().form;
  const {
    edits: { runScenario },
  } = useRun();
  const id = useId();
  const open = openGroups.value.has(KEY);
  const scenario = runScenario.value;
  const list = scenario?.interventions ?? [];
  return (
    <section class="settings-group" aria-labelledby={id} data-path={KEY}>
      <h3>
        <FoldTitle
          id={id}
          open={open}
          help="What was changed while it ran: saved with the scenario, and repeated with it"
          onToggle={() => openGroup(KEY, !open)}
        >
          <span>Changes while it runs</span>
          <span class="count">{list.length}</span>
        </FoldTitle>
      </h3>
      {open && (
        <div class="settings-group-body">
          {list.length === 0 || !scenario ? (
            <p class="label changes-empty">
              Gauges painted (N), drops (D), islands and settings changed on the way appear here, by cycle.
            </p>
          ) : (
            <ol class="changes" aria-label="Changes by cycle">
              {list.map((change, index) => (
                // Equal entries are distinguished by their places.
                <Change key={`${index} ${change.kind}`} change={change} index={index} scenario={scenario} />
              ))}
            </ol>
          )}
        </div>
      )}
    </section>
  );
}
