/** A volume and its three passes. */
export function SeparableConvolutionFigure() {
  return <p class="page-empty">A volume and its three passes</p>;
}
