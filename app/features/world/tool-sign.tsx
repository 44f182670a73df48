/** The sign of a tool, on buttons and in its bar. */
import { TOOL_SIGNS } from './tool-words.ts';
import type { WorldTool } from './tools.ts';

export function ToolSign({ tool }: { readonly tool: WorldTool }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={TOOL_SIGNS[tool]} />
    </svg>
  );
}
