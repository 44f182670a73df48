/** The light that shows an increment while it comes in: the same numbers for the shader and for the legend. */

/** Screen colour of water that the analysis raises, and of water that it lowers, 0 … 1. */
export const RAISED = [1, 0.72, 0.2] as const;
export const LOWERED = [0.22, 0.74, 1] as const;

function css([red, green, blue]: readonly [number, number, number]): string {
  return `rgb(${[red, green, blue].map((component) => Math.round(255 * component)).join(' ')})`;
}

/** @param water colour of water that is not changed @returns the gradient of the legend, from lowered to raised */
export function incrementGradient(water: string): string {
  return `linear-gradient(to right, ${css(LOWERED)}, ${water}, ${css(RAISED)})`;
}
