/** The tools that change the world while it runs, in the bar of the stage. */
import { commandHint } from '../../controls/command-button.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { ToolSign } from './tool-sign.tsx';
import { TOOL_TITLES } from './tool-words.ts';
import { toolsIn } from './tools.ts';
import { worldOf } from './world-state.ts';

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
