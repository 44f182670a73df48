/** The numbers of all subjects at the crosshair. */
import { formatColumn, formatNumber } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { info, styleOf } from '../../state/session-state.ts';
import { field, hoveredCell } from '../../state/view-state.ts';
import { distanceText } from './measures.tsx';
import { currentStage, drawnFrame, numbersArrived } from '../stage-state.ts';
import { Swatch } from './swatch.tsx';

export function Readout() {
  const cell = hoveredCell.value;
  const basin = info.value?.basin;
  const stage = currentStage.value;
  // Readings change with the picture and with numbers that arrive later.
  void drawnFrame.value;
  void numbersArrived.value;
  if (!cell || !basin || !stage) return null;
  const { symbol, unit, title } = fieldOf(field.value);
  const readings = stage.readings(field.value, cell);
  const columns = [
    formatColumn(readings.map(({ subject, forecast }) => (subject === TRUTH ? undefined : forecast))),
    formatColumn(readings.map(({ analysis }) => analysis)),
    formatColumn(readings.map(({ spread }) => spread)),
  ];
  const bed = basin.bed[cell.y * basin.nx + cell.x] ?? 0;
  return (
    <div class="readout" role="group" aria-label="Values at the crosshair">
      <header>
        <span class="number">
          x {distanceText(cell.x * basin.dx)}, y {distanceText(cell.y * basin.dy)}
        </span>
        <span class="number readout-cell">{`[${String(cell.x)}, ${String(cell.y)}] bed ${formatNumber(bed)} m`}</span>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{`${title} ${symbol} (${unit})`}</th>
            <th scope="col">forecast</th>
            <th scope="col">analysis</th>
            <th scope="col" title="Standard deviation of η over the members, m">
              σ(η) (m)
            </th>
          </tr>
        </thead>
        <tbody>
          {readings.map(({ subject, spread }, row) => {
            const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
            return (
              <tr key={subject}>
                <th scope="row">
                  {style && <Swatch style={style} />} {style?.title ?? subject}
                </th>
                <td class="number">{subject === TRUTH ? '' : columns[0][row]}</td>
                <td class="number">{columns[1][row]}</td>
                <td class="number">{Number.isFinite(spread) ? columns[2][row] : ''}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
