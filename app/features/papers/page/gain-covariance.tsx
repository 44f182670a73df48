/** P_HT. */
export function GainCovarianceFigure() {
  return <p class="page-empty">P_HT</p>;
}
