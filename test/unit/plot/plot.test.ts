import { describe, expect, it } from 'vitest';
import { decimate, createScale, needsDecades } from '../../../app/plot/scales.ts';
import { breakLabel, placeLabels } from '../../../app/plot/labels.ts';
import { layoutPlot, nearestPoint, panDomain, wholeDomain, zoomDomain } from '../../../app/plot/layout.ts';
import type { PlotSeries, PlotSpec } from '../../../app/plot/layout.ts';

const line = (key: string, values: readonly number[], more: Partial<PlotSeries> = {}): PlotSeries => ({
  key,
  label: key,
  color: 'red',
  dash: '',
  points: values.map((y, x) => ({ x, y })),
  ...more,
});

const spec = (series: readonly PlotSeries[], more: Partial<PlotSpec> = {}): PlotSpec => ({
  width: 380,
  height: 180,
  em: 11,
  x: { label: 'Cycle', unit: '', scale: 'linear', whole: true },
  y: { label: 'RMSE', unit: 'm', scale: 'linear' },
  series,
  ...more,
});

describe('createScale', () => {
  it('includes zero for what is never negative, and ends on round numbers', () => {
    const scale = createScale({ label: '', unit: '', scale: 'linear' }, [0.021, 0.093], [150, 10], true);
    expect(scale.domain).toEqual([0, 0.1]);
    expect(scale.at(0)).toBe(150);
    expect(scale.at(0.1)).toBe(10);
    expect(scale.invert(80)).toBeCloseTo(0.05, 12);
    expect(scale.ticks.length).toBeLessThanOrEqual(6);
  });

  it('labels decades, and has no place for what is not above zero', () => {
    const scale = createScale({ label: '', unit: '', scale: 'log' }, [1e-4, 0, 10], [150, 10], true);
    expect(scale.domain).toEqual([1e-4, 10]);
    expect(scale.at(0)).toBeNaN();
    expect(scale.ticks.map(({ text }) => text)).toEqual(expect.arrayContaining(['1e−4', '1e−3', '1e0', '1e1']));
  });

  it('has whole numbers only for cycles, and an end for no data at all', () => {
    const cycles = createScale({ label: '', unit: '', scale: 'linear', whole: true }, [0, 3], [0, 300], false);
    expect(cycles.ticks.map(({ value }) => value)).toEqual([0, 1, 2, 3]);
    expect(cycles.ticks.map(({ text }) => text)).toEqual(['0', '1', '2', '3']);
    const none = createScale({ label: '', unit: '', scale: 'linear' }, [], [100, 0], true);
    expect(none.domain[1]).toBeGreaterThan(none.domain[0]);
  });

  it('keeps labels of decades clear of each other at any size of type', () => {
    for (const em of [11, 16.5, 24]) {
      for (const [pixels, values] of [
        [300, [0.008, 0.5]],
        [300, [1e-7, 1e-1]],
        [120, [0.01, 1]],
      ] as const) {
        const { ticks, at } = createScale({ label: '', unit: '', scale: 'log' }, values, [0, pixels], false, em);
        const edges = ticks.map(({ value, text }) => [
          at(value) - 0.31 * em * text.length,
          at(value) + 0.31 * em * text.length,
        ]);
        expect(edges.every(([left], n) => n === 0 || left > edges[n - 1][1])).toBe(true);
        expect(ticks.length).toBeGreaterThan(0);
      }
    }
  });

  it('takes decades where values spread', () => {
    expect(needsDecades([0.01, 5])).toBe(true);
    expect(needsDecades([1, 5])).toBe(false);
    expect(needsDecades([0, 0])).toBe(false);
    // A run may have a million cycles, for each of several methods.
    expect(needsDecades(Array.from({ length: 400_000 }, (_, cycle) => 1 + cycle))).toBe(true);
  });
});

describe('layoutPlot', () => {
  it('draws known points at known pixels', () => {
    const { series, left, right, top, bottom } = layoutPlot(spec([line('a', [0, 1, 2])]));
    expect(series[0].line).toBe(`M${left},${bottom}L${(left + right) / 2},${(top + bottom) / 2}L${right},${top}`);
  });

  it('breaks a line if there is no value', () => {
    const { series } = layoutPlot(spec([line('a', [1, Number.NaN, 2, 1])]));
    expect(series[0].line.match(/M/g)).toHaveLength(2);
  });

  it('draws a lone point as a dot, and bands and bars within the axis', () => {
    const { series, y, bottom } = layoutPlot(
      spec([
        line('a', [0.5], { errorBars: [{ x: 0, y: 0.5, deviation: 0.2 }] }),
        line('b', [1, 1], {
          band: [
            { x: 0, low: 0, high: 3 },
            { x: 1, low: 0, high: 3 },
          ],
        }),
      ]),
    );
    expect(series[0].line).toBe('');
    expect(series[0].dots).toHaveLength(1);
    expect(series[0].errorBars[0].from).toBeCloseTo(y.at(0.3), 9);
    expect(y.domain).toEqual([0, 3]);
    expect(series[1].band).toContain(String(bottom));
  });

  it('fits the axis to what is zoomed in on', () => {
    const values = [100, 1, 2, 1];
    const zoomed = spec([line('a', values)], {
      x: { label: '', unit: '', scale: 'linear', whole: true, domain: [1, 3] },
    });
    expect(layoutPlot(spec([line('a', values)])).y.domain[1]).toBe(100);
    expect(layoutPlot(zoomed).y.domain[1]).toBe(2);
  });

  it('shows reference lines, and leaves room for labels at the ends', () => {
    const plot = layoutPlot(spec([line('3D-Var', [0.2, 0.3])], { references: [{ y: 1, label: 'one' }] }));
    expect(plot.references[0].y).toBeCloseTo(plot.y.at(1), 9);
    expect(plot.labels[0]).toMatchObject({ key: '3D-Var', lines: ['3D-Var'] });
    expect(plot.right).toBeLessThan(380 - 30);
    expect(plot.needsLegend).toBe(false);
  });

  it('names lines in full or not at all, and then asks for a legend', () => {
    const names = ['LETKF half-width 24, inflation 1.2', '3D-Var'];
    const plot = layoutPlot(spec(names.map((name) => line(name, [1, 1]))));
    expect(plot.labels[0].lines.join(' ')).toBe(names[0]);
    expect(plot.labels[0].lines.length).toBeGreaterThan(1);
    const [first, second] = plot.labels;
    expect(second.y - first.y).toBeGreaterThanOrEqual(first.lines.length * plot.lineHeight - 1e-9);
    const long = layoutPlot(spec([line('Ensemblekalmanfilterunbroken', [1, 1]), line('b', [1, 1])]));
    expect([long.labels, long.needsLegend]).toEqual([[], true]);
    const many = layoutPlot(spec(Array.from({ length: 20 }, (_, k) => line(`method ${k}`, [1, 1]))));
    expect([many.labels, many.needsLegend]).toEqual([[], true]);
    // What the labels would have taken belongs to the chart.
    expect(many.right).toBeGreaterThan(350);
  });

  it('leaves charts below each other as wide as the longest label of all, where they have labels', () => {
    const right = (labelLetters: number, more: Partial<PlotSeries> = {}) =>
      layoutPlot({ ...spec([line('a', [1, 2], more)]), labelLetters }).right;
    expect(right(10)).toBe(layoutPlot(spec([line('abcdefghij', [1, 2])])).right);
    expect(right(10)).toBeLessThan(right(0));
    expect(right(10, { unlabelled: true })).toBe(right(0, { unlabelled: true }));
  });

  it('marks where a line ends for good, at the edge where it leaves the axis', () => {
    const plot = layoutPlot(spec([line('a', [1, 2], { ends: true }), line('b', [1, 2, 1])]));
    expect(plot.series.map(({ end }) => end)).toEqual([{ x: plot.x.at(1), y: plot.y.at(2) }, undefined]);
    const far = layoutPlot(spec([line('a', [1, 99], { ends: true, outside: true }), line('b', [1, 2, 1])]));
    expect(far.series[0].end?.y).toBe(far.top);
  });

  it('makes the axis without the line that is omitted, cuts it off, and marks its label', () => {
    const free = line('Free run', [9, 9], { outside: true, band: [{ x: 0, low: 0, high: 30 }] });
    const plot = layoutPlot(spec([free, line('LETKF', [1, 1])]));
    expect(plot.y.domain[1]).toBe(1);
    expect(plot.labels[0]).toMatchObject({ key: 'Free run', lines: ['↑ Free run'] });
    expect(plot.labels[0].y).toBeGreaterThanOrEqual(plot.top - 1e-9);
    expect(plot.beyond).toEqual([{ label: 'Free run', value: 9 }]);
    expect(
      layoutPlot(spec([line('Free run', [0.2, 0.9], { outside: true }), line('LETKF', [0.86, 1])])).beyond,
    ).toEqual([]);
    // Back within the axis at its end: what it was where it left it.
    expect(
      layoutPlot(spec([line('Free run', [9, 12, 0.5], { outside: true }), line('LETKF', [1, 1, 1])])).beyond,
    ).toEqual([{ label: 'Free run', value: 12 }]);
    // Within the axis it needs no mark, and alone it has the axis for itself.
    expect(
      layoutPlot(spec([line('Free run', [0.5, 0.5], { outside: true }), line('LETKF', [1, 1])])).labels[0].lines,
    ).toEqual(['Free run']);
    expect(layoutPlot(spec([free])).y.domain[1]).toBe(30);
  });
});

describe('placeLabels', () => {
  it('leaves labels where they have room', () => {
    expect([
      ...(placeLabels(
        [
          { key: 'a', wanted: 20 },
          { key: 'b', wanted: 60 },
        ],
        12,
        0,
        100,
      ) ?? []),
    ]).toEqual([
      ['a', 20],
      ['b', 60],
    ]);
  });

  it('moves them apart, in order and within the plot', () => {
    const places = placeLabels(
      ['a', 'b', 'c'].map((key, index) => ({ key, wanted: 98 + index })),
      12,
      0,
      100,
    );
    expect([...(places?.values() ?? [])]).toEqual([76, 88, 100]);
  });

  it('gives room for every line of a label', () => {
    const places = placeLabels(
      [
        { key: 'a', wanted: 0, lines: 2 },
        { key: 'b', wanted: 1 },
      ],
      10,
      0,
      100,
    );
    // Lines of the first are at 0 and 10, the second at 20.
    expect([...(places?.values() ?? [])]).toEqual([5, 20]);
  });

  it('has no place for any if there are too many', () => {
    const many = Array.from({ length: 11 }, (_, k) => ({ key: String(k), wanted: 50 }));
    expect(placeLabels(many, 20, 0, 100)).toBeUndefined();
    expect(placeLabels(many, 10, 0, 100)?.size).toBe(11);
  });

  it('breaks labels at spaces, and omits what cannot be broken', () => {
    expect(breakLabel('3D-Var')).toEqual(['3D-Var']);
    expect(breakLabel('LETKF, half-width 24')).toEqual(['LETKF,', 'half-width 24']);
    expect(breakLabel('letkf-everywhere')).toEqual(['letkf-', 'everywhere']);
    expect(breakLabel('Ensemblekalmanfilter')).toBeUndefined();
    expect(breakLabel('a label with so many words that nobody reads it')).toBeUndefined();
  });
});

describe('decimate', () => {
  it('keeps few points as they are', () => {
    const points = [{ x: 0, y: 1 }];
    expect(decimate(points, 100)).toBe(points);
  });

  it('keeps extremes and order', () => {
    const points = Array.from({ length: 10_000 }, (_, x) => ({
      x,
      y: x === 4321 ? 99 : x === 8765 ? -99 : Math.sin(x),
    }));
    const kept = decimate(points, 100);
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(kept.map(({ y }) => y)).toEqual(expect.arrayContaining([99, -99]));
    expect(kept.every((point, index) => index === 0 || point.x > kept[index - 1].x)).toBe(true);
    expect(kept[0]).toBe(points[0]);
    expect(kept.at(-1)).toBe(points.at(-1));
  });
});

describe('nearestPoint and zoomDomain', () => {
  it('finds the nearest of sorted points', () => {
    const points = [0, 1, 2, 5].map((x) => ({ x, y: x }));
    expect(nearestPoint(points, 3.4)?.x).toBe(2);
    expect(nearestPoint(points, 3.6)?.x).toBe(5);
    expect(nearestPoint(points, -9)?.x).toBe(0);
    expect(nearestPoint([], 0)).toBeUndefined();
  });

  it('zooms about a place within the whole, and out to all of it', () => {
    expect(zoomDomain([0, 100], [0, 100], 50, 0.5, 4)).toEqual([25, 75]);
    expect(zoomDomain([0, 100], [0, 100], 0, 0.5, 4)).toEqual([0, 50]);
    expect(zoomDomain([25, 75], [0, 100], 50, 4, 4)).toBeUndefined();
    expect(zoomDomain([50, 54], [0, 100], 52, 0.5, 4)).toEqual([50, 54]);
    expect(wholeDomain([7.25, 21.75])).toEqual([7, 22]);
    expect(wholeDomain([3, 3])).toEqual([3, 4]);
  });
});

describe('panDomain', () => {
  it('moves by a share of what is shown, and stops at the ends of the whole', () => {
    expect(panDomain([20, 40], [0, 100], 0.25)).toEqual([25, 45]);
    expect(panDomain([20, 40], [0, 100], -2)).toEqual([0, 20]);
    expect(panDomain([70, 90], [0, 100], 3)).toEqual([80, 100]);
    expect(panDomain([0, 100], [0, 100], 0.5)).toEqual([0, 100]);
  });
});

describe('a line that is marked', () => {
  it('is drawn with its points', () => {
    const points = [
      { x: 0, y: 1 },
      { x: 1, y: 2 },
    ];
    const line = { key: 'a', label: 'a', color: 'red', dash: '', points };
    const axis = { label: '', unit: '', scale: 'linear' } as const;
    const layoutOf = (marked: boolean) =>
      layoutPlot({ width: 300, height: 200, em: 11, x: axis, y: axis, series: [{ ...line, marked }] }).series[0];
    expect(layoutOf(true).dots).toHaveLength(2);
    expect(layoutOf(true).line).toBe(layoutOf(false).line);
    expect(layoutOf(false).dots).toEqual([]);
  });
});
