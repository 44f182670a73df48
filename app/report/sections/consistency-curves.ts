/** The curves behind the figures of consistency: errors by spread, scales of errors and spread, and the score taken apart. */
import { crpsParts, meanSpectra, unitOf } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import {
  OCTAVE_CURVES,
  OCTAVE_HELP,
  octavePoints,
  octaveRange,
  SCORE_CURVES,
  SCORE_HELP,
  SPREAD_SKILL_HELP,
  SPREAD_SKILL_NOTE,
  spreadSkillLine,
  squareDomain,
  squareOf,
  wavelengthsOf,
} from '../../figures/consistency-curves.ts';
import type { PlotSeries } from '../../plot/layout.ts';
import { needsDecades } from '../../plot/scales.ts';
import { TRUTH_STYLE } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { plotSvg } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { countedCycles, headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { overStretches, stretchOf, stretchWords } from '../stretches.ts';

/** A run with the prefix of its figures' captions. */
interface Headed {
  readonly run: ReportedRun;
  readonly before: Markup | false;
}

function countedRows(run: ReportedRun, { label }: MethodStyle): readonly CycleDiagnostics[] {
  const { from, to } = countedCycles(run);
  return (run.rows.get(label) ?? []).filter(({ cycle }) => cycle >= from && cycle <= to);
}

function spreadSkill({ run, before }: Headed, variable: string): Markup[] {
  const drawn = run.styles.flatMap((style) => {
    const points = spreadSkillLine(countedRows(run, style), variable);
    return points.length === 0 ? [] : [{ style, points }];
  });
  const domain = squareDomain(drawn.map(({ points }) => points));
  if (!domain) return [];
  const unit = unitOf(variable);
  const series = drawn.map(({ style, points }): PlotSeries => ({
    key: style.label,
    label: style.title,
    color: colourOf(style),
    dash: style.dash,
    points,
    marked: true,
    unlabelled: true,
  }));
  const diagonal = {
    key: '1:1',
    label: '1:1',
    color: colourOf(TRUTH_STYLE),
    dash: '4 4',
    thin: true,
    unlabelled: true,
    points: domain.map((end) => ({ x: end, y: end })),
  };
  const names = drawn.map(({ style }) => style.title).join(', ');
  const { svg } = plotSvg({
    summary: `Error of the forecast of ${variable} by bins of spread, of ${names}, with the 1:1 line.`,
    x: { label: `Spread of ${variable}`, unit, scale: 'linear', domain },
    y: { label: `RMSE of ${variable}`, unit, scale: 'linear', domain },
    series: [diagonal, ...series],
  });
  return [
    figure(svg, {
      caption: html`${before}<b>Spread and error of ${variable}.</b> ${SPREAD_SKILL_HELP} ${SPREAD_SKILL_NOTE}`,
      legend: drawn.map(({ style }) => style),
    }),
  ];
}

function octaves({ run, before }: Headed, style: MethodStyle): Markup[] {
  const spectra = meanSpectra(countedRows(run, style));
  if (!spectra) return [];
  const wavelengths = wavelengthsOf(run.basin);
  const series = OCTAVE_CURVES.flatMap(({ of, label, dash }): PlotSeries[] => {
    const points = octavePoints(wavelengths, spectra[of]);
    return points.length === 0 ? [] : [{ key: of, label, color: colourOf(style), dash, points, marked: true }];
  });
  const domain = octaveRange(series.map(({ points }) => points));
  if (!domain) return [];
  const [variable = ''] = run.record.variables;
  const { svg } = plotSvg({
    summary: `Mean squares of ${series.map(({ label }) => label.toLowerCase()).join(', ')} of ${style.title} by wavelength.`,
    x: { label: 'Wavelength', unit: wavelengths.unit, scale: 'log' },
    y: { label: `Mean square of ${variable}`, unit: squareOf(unitOf(variable)), scale: 'log', domain },
    series,
  });
  return [
    figure(svg, {
      caption: html`${before}<b>Scales of ${variable}, ${style.title}</b>, by octaves of the wavelength. ${OCTAVE_HELP}`,
    }),
  ];
}

function score({ run, before }: Headed, style: MethodStyle, variable: string): Markup[] {
  const stretch = stretchOf(run.record.cycles);
  const rows = run.rows.get(style.label) ?? [];
  const series = SCORE_CURVES.map(({ of, label, dash }): PlotSeries => ({
    key: of,
    label,
    color: colourOf(style),
    dash,
    points: overStretches(
      rows.flatMap((row) => {
        const parts = crpsParts(row, variable);
        return parts ? [{ x: row.cycle, y: parts[of] }] : [];
      }),
      stretch,
    ),
  }));
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  if (values.length === 0) return [];
  const { svg } = plotSvg({
    summary: `CRPS of the forecast of ${variable} of ${style.title} and its parts by cycle.`,
    x: { label: 'Cycle', unit: '', scale: 'linear', whole: true },
    y: { label: `CRPS of ${variable}`, unit: unitOf(variable), scale: needsDecades(values) ? 'log' : 'linear' },
    series,
  });
  return [
    figure(svg, {
      caption: html`${before}<b>CRPS of ${variable} and its parts, ${style.title}.</b>
        ${SCORE_HELP}${stretchWords(stretch)}`,
    }),
  ];
}

export function consistencyCurvesSection(report: Report): Section | undefined {
  const { variables } = report.comparison;
  const drawn = report.figured.flatMap((run) => {
    const head = headOf(report, run);
    const headed: Headed = { run, before: head !== undefined && html`<b>${head}.</b> ` };
    return [
      ...variables.flatMap((variable) => spreadSkill(headed, variable)),
      ...run.styles.flatMap((style) => octaves(headed, style)),
      ...run.styles.flatMap((style) => variables.flatMap((variable) => score(headed, style, variable))),
    ];
  });
  return drawn.length === 0
    ? undefined
    : { id: 'consistency-curves', title: 'Consistency in curves', body: figures(drawn) };
}
