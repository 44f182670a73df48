/** What the tools are called, and what hands and keys do with each. */
import type { WorldTool } from './tools.ts';

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
export const TOOL_SIGNS: Readonly<Record<WorldTool, string>> = {
  gauges: 'M5 13.500V8M5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM11.500 8.500v5M9 11h5',
  drop: 'M8 1.800c2.200 2.600 3.200 4.300 3.200 5.700a3.200 3.200 0 0 1-6.400 0C4.800 6.100 5.800 4.400 8 1.800ZM2 13.500c2-1.300 4-1.300 6 0s4 1.300 6 0',
  island: 'M1.500 12c2-1.300 4-1.300 6.500 0s4.500 1.300 6.500 0M3.500 10 7 4.500l2 2.500 1-1.200 2.500 4.200',
};
