/** A line that would leave the axis by a little stays on it, and a legend has the colours of the curves. */
import { expect, it } from 'vitest';
import { coloursOf } from '../../../app/figures/figure-controls.tsx';
import { layoutPlot } from '../../../app/plot/layout.ts';

const series = (key: string, most: number, outside: boolean) => ({
  key,
  label: key,
  color: 'red',
  dash: '',
  outside,
  points: [0, 1, 2].map((x) => ({ x, y: (most * (x + 1)) / 3 })),
});

function layout(freeRun: number) {
  return layoutPlot({
    width: 400,
    height: 200,
    em: 11,
    x: { label: 'cycle', unit: '', scale: 'linear', whole: true },
    y: { label: 'RMSE', unit: 'm', scale: 'linear' },
    series: [series('letkf', 0.3, false), series('free-run', freeRun, true)],
  });
}

it('a free run that is a little above the axis is not cut', () => {
  expect(layout(0.305).beyond).toStrictEqual([]);
  expect(layout(0.305).y.domain[1]).toBeGreaterThanOrEqual(0.305);
  expect(layout(3).beyond).toMatchObject([{ label: 'free-run' }]);
  expect(layout(3).y.domain[1]).toBeLessThan(1);
});

it('the legend of a branch has the colours of the methods whose curves it has', () => {
  const styles = [
    { label: 'a', colour: 'blue' },
    { label: 'b', colour: 'gold' },
  ] as unknown as Parameters<typeof coloursOf>[0]['styles'];
  const diagnostics = new Map([['b', [{}]]]) as unknown as Parameters<typeof coloursOf>[0]['diagnostics'];
  expect(coloursOf({ styles, diagnostics })).toStrictEqual(['gold']);
});
