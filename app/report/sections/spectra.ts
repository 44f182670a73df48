/** At which scales methods are wrong, and at which analyses change them. */
import { powerLines, powerRange } from '../../figures/spectrum-lines.ts';
import { radialSpectrum } from '../../figures/spectrum.ts';
import type { Spectrum } from '../../figures/spectrum.ts';
import type { PlotSeries } from '../../plot/layout.ts';
import { TRUTH_STYLE } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { plotSvg } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import type { CycleState, Plane } from '../run/states.ts';

interface MethodSpectrum {
  readonly style: MethodStyle;
  readonly spectrum: Spectrum;
  readonly thin?: boolean;
}

function names(spectra: readonly MethodSpectrum[]): string {
  return spectra.map(({ style }) => style.title).join(', ');
}

function minus(a: Plane, b: Plane): Plane {
  return a.map((value, cell) => value - b[cell]);
}

function spectrumSvg(spectra: readonly MethodSpectrum[], summary: string): Markup {
  const range = powerRange(spectra.map(({ spectrum }) => spectrum));
  const [
    {
      spectrum: { points },
    },
  ] = spectra;
  const series = spectra.map(({ style, spectrum, thin }): PlotSeries => ({
    key: style.label,
    label: style.title,
    color: colourOf(style),
    dash: style.dash,
    points: powerLines(spectrum),
    unlabelled: true,
    ...(thin && { thin }),
  }));
  const { svg } = plotSvg({
    summary,
    x: {
      label: 'Wavenumber',
      unit: '1/m',
      scale: 'log',
      ...(points.length > 1 && { domain: [points[0].wavenumber, points[points.length - 1].wavenumber] as const }),
    },
    y: { label: 'Power', unit: 'm³', scale: 'log', ...(range && { domain: range }) },
    series,
  });
  return svg;
}

function spectraOf(report: Report, run: ReportedRun, { cycle, truth, methods }: CycleState): Markup[] {
  const { nx, ny, dx, dy, periodicX, periodicY } = run.basin;
  const of = (values: Plane): Spectrum => radialSpectrum({ values, nx, ny, dx, dy, periodicX, periodicY });
  const head = headOf(report, run);
  const before = head !== undefined && html`<b>${head}.</b> `;
  const styled = methods.flatMap((state) => {
    const style = run.styles.find(({ label }) => label === state.label);
    return style ? [{ style, state }] : [];
  });
  const truthSpectrum = { style: TRUTH_STYLE, spectrum: of(truth), thin: true };
  const errors = styled.map(({ style, state }) => ({ style, spectrum: of(minus(state.analysis, truth)) }));
  const increments = styled.flatMap(({ style, state: { forecast, analysis } }) =>
    forecast && forecast.some((value, cell) => value !== analysis[cell])
      ? [{ style, spectrum: of(minus(analysis, forecast)) }]
      : [],
  );
  return [
    figure(spectrumSvg([truthSpectrum, ...errors], `Spectra of the error of ${names(errors)} in cycle ${cycle}.`), {
      caption: html`${before}Error of the analysis of surface height in cycle ${cycle}; thin: the truth itself. Where a
      line meets that of the truth, the method knows nothing at that scale.`,
      legend: [TRUTH_STYLE, ...errors.map(({ style }) => style)],
    }),
    ...(increments.length > 0
      ? [
          figure(spectrumSvg(increments, `Spectra of the increment of ${names(increments)} in cycle ${cycle}.`), {
            caption: html`${before}Increment of surface height in cycle ${cycle}: at which scales the observations
            changed the forecast.`,
            legend: increments.map(({ style }) => style),
          }),
        ]
      : []),
  ];
}

export function spectraSection(report: Report): Section | undefined {
  const drawn = report.figured.flatMap((run) => {
    const state = run.basin.isRing ? undefined : run.states?.states.at(-1);
    return state ? spectraOf(report, run, state) : [];
  });
  if (drawn.length === 0) return undefined;
  return {
    id: 'spectra',
    title: 'Spectra',
    body: html`<p>
        Variance by wavenumber, averaged over directions, in the functions that fit the basin’s boundaries; finer grids
        than 128 cells along an axis are averaged over blocks of cells first.
      </p>
      ${figures(drawn)}`,
  };
}
