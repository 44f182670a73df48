/** The line between a panel and the stage: dragged, or moved with the arrow keys; a double press brings the usual width. */
import { useRef } from 'preact/hooks';
import { useLaboratory } from '../page/context.ts';
import { PANEL_LIMITS } from '../page/preferences.ts';
import type { Side } from '../page/preferences.ts';

const STEP = 16;

export function Splitter({
  side,
  width,
  title,
}: {
  readonly side: Side;
  readonly width: number;
  readonly title: string;
}) {
  const { resizePanel, typeScale } = useLaboratory().preferences;
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const { least, most, usual } = PANEL_LIMITS[side];
  const outwards = side === 'settings' ? 1 : -1;
  const resize = (pixels: number): void => resizePanel(side, pixels / typeScale.value);
  return (
    <div
      class={`splitter splitter-${side}`}
      role="separator"
      tabindex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Math.round(Math.max(least, Math.min(most, width / typeScale.value)))}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (drag.current) resize(drag.current.width + outwards * (event.clientX - drag.current.x));
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
      onDblClick={() => resizePanel(side, usual)}
      onKeyDown={(event) => {
        const towards = { ArrowRight: outwards, ArrowLeft: -outwards }[event.key];
        if (towards !== undefined) resize(width + towards * STEP);
        else if (event.key === 'Home') resizePanel(side, least);
        else if (event.key === 'End') resizePanel(side, most);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
