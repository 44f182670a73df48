/** The tools that change the world, as commands: in the palette, on keys, on buttons. */
import type { Command } from '../../page/commands.ts';
import type { RunView } from '../../document/run-view.ts';
import { GAUGE_HANDS } from './gauge-tool.ts';
import type { GaugeHand } from './gauge-tool.ts';
import { TOOL_TITLES } from './tool-buttons.tsx';
import { toolsIn, WORLD_TOOLS } from './tools.ts';
import type { WorldTool } from './tools.ts';
import { worldOf } from './world-state.ts';

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
export function focusStage(): void {
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
