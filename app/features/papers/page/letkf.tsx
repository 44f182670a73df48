/** The analysis of one grid point. */
export function LetkfFigure() {
  return <p class="page-empty">The analysis of one grid point</p>;
}
