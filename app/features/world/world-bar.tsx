/** The bar of the tool that is held: what it does, what it is set to, when that takes effect; and the tools as commands. */
import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../format/numbers.ts';
import { Icon, commandHint } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { GaugeControls, DropControls, IslandControls } from './tool-controls.tsx';
import { gaugeCount, GAUGE_HANDS, type GaugeHand } from './gauge-tool.ts';
import './world.css';
import { WITH_BED } from './round-tools.ts';
import { worldOf } from './world-state.ts';
import type { Command } from '../../page/commands.ts';
import type { RunView } from '../../document/run-view.ts';
import { toolsIn, WORLD_TOOLS, type WorldTool } from './tools.ts';

/** What the tools are called, and what hands and keys do with each. */
const TOOL_TITLES: Readonly<Record<WorldTool, string>> = {
  gauges: 'Paint the network',
  drop: 'Drop water',
  island: 'Raise an island',
};

/** For the canvas, as a screen reader says it. */
export const TOOL_KEYS: Readonly<Record<WorldTool, string>> = {
  gauges:
    'Painting gauges: Enter uses the brush at the crosshair, Delete erases there, plus and minus change its size, Escape leaves.',
  drop: 'Dropping water: Enter lets a drop fall at the crosshair, plus and minus change its radius, Escape leaves.',
  island:
    'Raising an island: Enter places it at the crosshair, and once more raises it; plus and minus change its radius, Escape leaves.',
};

/** Signs on buttons, on a grid of 16. */
const TOOL_SIGNS: Readonly<Record<WorldTool, string>> = {
  gauges: 'M5 13.500V8M5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM11.500 8.500v5M9 11h5',
  drop: 'M8 1.800c2.200 2.600 3.200 4.300 3.200 5.700a3.200 3.200 0 0 1-6.400 0C4.800 6.100 5.800 4.400 8 1.800ZM2 13.500c2-1.300 4-1.300 6 0s4 1.300 6 0',
  island: 'M1.500 12c2-1.300 4-1.300 6.500 0s4.500 1.300 6.500 0M3.500 10 7 4.500l2 2.500 1-1.200 2.500 4.200',
};

/** The sign of a tool, on buttons and in its bar. */
function ToolSign({ tool }: { readonly tool: WorldTool }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={TOOL_SIGNS[tool]} />
    </svg>
  );
}

export function ToolButtons() {
  const laboratory = useLaboratory();
  const { view } = useRun();
  const { tool } = worldOf(useRun());
  return (
    <>
      {toolsIn(view.world.value).map((which) => (
        <button
          key={which}
          type="button"
          class="icon-button"
          aria-label={TOOL_TITLES[which]}
          title={commandHint(laboratory, `world.${which}`)}
          aria-pressed={tool.value === which}
          onClick={() => laboratory.commands.runCommand(`world.${which}`)}
        >
          <ToolSign tool={which} />
        </button>
      ))}
    </>
  );
}

const SHORTCUTS: Readonly<Record<WorldTool, string>> = { gauges: 'N', drop: 'D', island: 'Shift+I' };
const KEYWORDS: Readonly<Record<WorldTool, string>> = {
  gauges: 'gauges observations brush add draw world change',
  drop: 'stone rain wave world change intervention',
  island: 'bed bathymetry hill land world change',
};
const HAND_TITLES: Readonly<Record<GaugeHand, string>> = {
  paint: 'Add gauges with the brush',
  erase: 'Erase gauges',
  move: 'Move a gauge',
};

/** Keys go to the water: there the arrows move the tool. */
function focusStage(): void {
  document.querySelector<HTMLElement>('.stage-canvas')?.focus();
}

export function worldCommands(run: RunView): readonly Command[] {
  const { course } = run;
  const { tool, hold, gauges } = worldOf(run);
  const hasRun = (): boolean => course.info.value !== undefined;
  return [
    ...WORLD_TOOLS.map((which): Command => ({
      id: `world.${which}`,
      group: 'World',
      title: TOOL_TITLES[which],
      shortcuts: [SHORTCUTS[which]],
      keywords: KEYWORDS[which],
      enabled: () => hasRun() && toolsIn(course.info.value?.basin).includes(which),
      checked: () => tool.value === which,
      run() {
        hold(which);
        if (tool.value) focusStage();
      },
    })),
    ...GAUGE_HANDS.map((hand): Command => ({
      id: `world.gauges-${hand}`,
      group: 'World',
      title: HAND_TITLES[hand],
      keywords: 'network brush eraser drag',
      enabled: hasRun,
      checked: () => tool.value === 'gauges' && gauges.hand.value === hand,
      run() {
        gauges.hand.value = hand;
        if (tool.value !== 'gauges') hold('gauges');
        focusStage();
      },
    })),
  ];
}

const CONTROLS: Readonly<Record<WorldTool, () => ComponentChildren>> = {
  gauges: GaugeControls,
  drop: DropControls,
  island: IslandControls,
};

/** How many gauges the next analysis has, and how dense they are. */
function Count() {
  const {
    view: { world },
  } = useRun();
  const { gauges } = worldOf(useRun());
  const { standing, cellsPerGauge } = gauges;
  const cells = cellsPerGauge.value;
  const [cell, water] = world.value?.isRing ? ['place', 'places'] : ['cell', 'cells'];
  const often = cells === 1 ? `at every ${cell}` : `1 in ${formatNumber(cells)} ${water}`;
  return (
    <p class="world-words" title={`Fixed gauges of the next analysis; one in so many ${water}`}>
      {gaugeCount(standing.value.length)}
      {cells !== undefined && <span class="world-long">, {often}</span>}
    </p>
  );
}

/** When what is done takes effect, or why nothing can be done. */
function Outlook({ tool }: { readonly tool: WorldTool }) {
  const {
    course: { cycle, newestCycle },
    controller,
  } = useRun();
  const { refusalOf, nextCycle, waiting, island, targets } = worldOf(useRun());
  const refusal = refusalOf(tool);
  if (refusal === undefined && tool !== 'island') {
    const further = targets.now.value.further.value;
    const more = further === undefined ? '' : `; adds ${further} cycles`;
    const pending = waiting.value.length === 0 ? '' : ` (${waiting.value.length} pending)`;
    return (
      <p class="world-words" title="Changes take effect at the beginning of that cycle">
        {`From cycle ${nextCycle.value}${pending}${more}`}
      </p>
    );
  }
  if (refusal === undefined) {
    const what = island.placed.value ? 'It restarts the run, with all changes.' : 'Place it, then raise it.';
    return <p class="world-words">{what}</p>;
  }
  const isEarlier = tool !== 'island' && cycle.value < newestCycle.value;
  return (
    <p class="world-words world-refusal">
      {refusal}
      {tool === 'island' && island.canChangeScheme.value && (
        <button
          type="button"
          class="button"
          title="The run begins again with the scheme that has a bed, with what else waits to be applied"
          onClick={island.changeScheme}
        >
          Use {WITH_BED}
        </button>
      )}
      {isEarlier && (
        <button type="button" class="button" onClick={() => controller.goBack(cycle.value + 1, false)}>
          Continue from cycle {cycle.value}
        </button>
      )}
    </p>
  );
}

/** If there are branches: what the tool acts on. Pointing at a column chooses it as well. */
function TargetChoice() {
  const {
    branches: { entries, titleOf },
  } = useRun();
  const { targets } = worldOf(useRun());
  if (entries.value.length === 0) return null;
  const { branch } = targets.now.value;
  return (
    <select
      class="stage-select world-target"
      aria-label="What the tool acts on"
      title="What the tool acts on: the run, or the branch whose column is pointed at"
      value={branch === undefined ? '' : String(branch)}
      onChange={({ currentTarget: { value } }) => targets.choose(value === '' ? undefined : Number(value))}
    >
      <option value="">in the run</option>
      {entries.value.map(({ id }) => (
        <option key={id} value={String(id)}>
          {`in “${titleOf(id)}”`}
        </option>
      ))}
    </select>
  );
}

function Bar({ tool }: { readonly tool: WorldTool }) {
  const { form } = useLaboratory();
  const {
    edits: { interventions },
  } = useRun();
  const { hold, use, refusalOf } = worldOf(useRun());
  const Controls = CONTROLS[tool];
  const count = interventions.value.length;
  const isRefused = refusalOf(tool) !== undefined;
  return (
    <div
      class="world-bar"
      role="group"
      aria-label={TOOL_TITLES[tool]}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        use({ kind: 'leave' });
        focusStage();
      }}
    >
      <h3 class="world-title">
        <ToolSign tool={tool} />
        <span class="world-long">{TOOL_TITLES[tool]}</span>
      </h3>
      <TargetChoice />
      {!isRefused && (
        <div class="world-controls">
          <Controls />
        </div>
      )}
      <Outlook tool={tool} />
      {tool === 'gauges' && !isRefused && <Count />}
      <span class="world-end">
        <button
          type="button"
          class="button"
          title="All that was changed of this run, in the settings"
          disabled={count === 0}
          onClick={() => form.goToSetting('interventions')}
        >
          Changes <span class="count">{count}</span>
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Put the tool away"
          title="Put the tool away (Esc)"
          onClick={() => {
            hold(undefined);
            focusStage();
          }}
        >
          <Icon name="close" />
        </button>
      </span>
    </div>
  );
}

export function WorldBar() {
  const { tool, said } = worldOf(useRun());
  return (
    <>
      {tool.value && <Bar tool={tool.value} />}
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </>
  );
}
