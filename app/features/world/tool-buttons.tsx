/** The tools that change the world while it runs: their words and signs, and their buttons in the bar of the stage. */
import { commandHint } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { toolsIn, type WorldTool } from './tools.ts';
import { worldOf } from './world-state.ts';

/** What the tools are called, and what hands and keys do with each. */
export const TOOL_TITLES: Readonly<Record<WorldTool, string>> = {
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
export function ToolSign({ tool }: { readonly tool: WorldTool }) {
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
