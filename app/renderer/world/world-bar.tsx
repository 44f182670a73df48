/** The bar of the tool that is held: what it does, what it is set to, and when that takes hold. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../layout/icons.tsx';
import { useLaboratory, useRun } from '../state/context.ts';
import { GaugeControls } from './gauge-controls.tsx';
import { DropControls, IslandControls } from './round-controls.tsx';
import { ToolSign } from './tool-sign.tsx';
import { TOOL_TITLES } from './tool-words.ts';
import type { WorldTool } from './tools.ts';
import { focusStage } from './world-commands.ts';
import './world.css';

const CONTROLS: Readonly<Record<WorldTool, () => ComponentChildren>> = {
  gauges: GaugeControls,
  drop: DropControls,
  island: IslandControls,
};

function waitingText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', 1 change waits' : `, ${count} changes wait`;
}

/** When what is done takes hold, or why nothing can be done. */
function Outlook({ tool }: { readonly tool: WorldTool }) {
  const {
    world: { refusalOf, nextCycle, waiting, island },
    session: { cycle, newestCycle },
    controller,
  } = useRun();
  const refusal = refusalOf(tool);
  if (refusal === undefined && tool !== 'island') {
    return <p class="world-outlook">{`From cycle ${nextCycle.value} on${waitingText(waiting.value.length)}`}</p>;
  }
  if (refusal === undefined) {
    const what = island.placed.value ? 'It begins the run anew, with all its changes.' : 'Place it, then raise it.';
    return <p class="world-outlook">{what}</p>;
  }
  const isEarlier = tool !== 'island' && cycle.value < newestCycle.value;
  return (
    <p class="world-outlook world-refusal">
      {refusal}
      {isEarlier && (
        <button type="button" class="button" onClick={() => controller.goBack(cycle.value + 1, false)}>
          Go on from cycle {cycle.value}
        </button>
      )}
    </p>
  );
}

function Bar({ tool }: { readonly tool: WorldTool }) {
  const { form } = useLaboratory();
  const { changes, hold, use } = useRun().world;
  const Controls = CONTROLS[tool];
  const count = changes.value.length;
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
        {TOOL_TITLES[tool]}
      </h3>
      <Controls />
      <Outlook tool={tool} />
      <span class="world-end">
        {count > 0 && (
          <button
            type="button"
            class="button"
            title="All that was changed of this run, in the settings"
            onClick={() => form.goToSetting('interventions')}
          >
            Changes <span class="count">{count}</span>
          </button>
        )}
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
  const { tool, said } = useRun().world;
  return (
    <>
      {tool.value && <Bar tool={tool.value} />}
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </>
  );
}
