/** Error, increment and spread of a method by octaves of the wavelength: at which scales its members know their errors. */
import { useSignal } from '@preact/signals';
import { meanSpectra } from '../../engine/index.ts';
import type { BasinInfo } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import { withUnit } from '../fields/fields.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { RunView } from '../document/run-view.ts';
import { ComparedCurveChoice, ConsistencyMethodChoice, useConsistencyMethod } from './consistency-choices.tsx';
import type { CountedProps } from './consistency-choices.tsx';
import {
  OCTAVE_CURVES,
  OCTAVE_HELP,
  octavePoints,
  octaveRange,
  squareOf,
  wavelengthsOf,
} from './consistency-curves.ts';
import type { Wavelengths } from './consistency-curves.ts';
import type { DataTable } from '../format/csv.ts';
import { Figure } from './figure.tsx';
import { curveLegend } from './method-lines.ts';
import { formatQuantity } from '../format/numbers.ts';
import { methodRows, overlaidCurve, shownOverlaid } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { counted, countedRows, unitOf, variablesOf } from '../document/views/series.ts';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

interface OctaveProps extends CountedProps {
  readonly basin: BasinInfo;
}

/** @returns lengths of a run's waves on the axis of the run on screen; undefined where they are not of the same kind */
function lengthsBeside({ basin }: OctaveProps, { cells }: OverlaidRun): Wavelengths | undefined {
  if (!cells || (cells.isRing === true) !== (basin.isRing === true)) return undefined;
  return wavelengthsOf(cells, wavelengthsOf(basin).unit);
}

function table(props: OctaveProps, overlaid: readonly OverlaidRun[], unit: string): DataTable {
  const own = wavelengthsOf(props.basin);
  return {
    columns: [
      'method',
      withUnit('wavelength', own.unit),
      ...OCTAVE_CURVES.map(({ title }) => withUnit(`mean square of the ${title}`, unit)),
    ],
    rows: methodRows(props, overlaid).flatMap(({ title, rows, run }) => {
      const spectra = meanSpectra(counted(rows, props));
      const wavelengths = run ? lengthsBeside(props, run) : own;
      if (!spectra || !wavelengths) return [];
      return wavelengths.lengths.map((length, band) => [
        title,
        length,
        ...OCTAVE_CURVES.map(({ of }) => spectra[of][band]),
      ]);
    }),
  };
}

/** The curves of a method, and beside one of them those of overlaid runs. */
function linesOf(run: RunView, props: OctaveProps, style: MethodStyle): readonly PlotSeries[] {
  const spectra = meanSpectra(countedRows(props, style));
  if (!spectra) return [];
  const wavelengths = wavelengthsOf(props.basin);
  const compared = OCTAVE_CURVES.find(({ of }) => of === chartsOf(run).comparedOctave.value) ?? OCTAVE_CURVES[0];
  const beside = overlaidCurve(
    shownLines(run),
    style.label,
    { key: compared.of, label: compared.label },
    (rows, other) => {
      const lengths = lengthsBeside(props, other);
      const found = lengths && meanSpectra(counted(rows, props));
      return found ? octavePoints(lengths, found[compared.of]) : [];
    },
  );
  const own = OCTAVE_CURVES.flatMap(({ of, label, dash }) => {
    const points = octavePoints(wavelengths, spectra[of]);
    const faded = beside.length > 0 && of !== compared.of;
    return points.length === 0 ? [] : [{ key: of, label, color: style.colour, dash, points, faded, marked: true }];
  });
  return [...own, ...beside];
}

export function OctaveChart(props: OctaveProps) {
  const { styles, diagnostics, from, to, basin } = props;
  const hovered = useSignal<number | undefined>(undefined);
  const laboratory = useLaboratory();
  const run = useRun();
  const { hiddenMethods } = run.view;
  const { comparedOctave, overlaid } = chartsOf(run);
  const candidates = styles.filter(
    ({ label }) =>
      !hiddenMethods.value.has(label) && (diagnostics.get(label) ?? []).some(({ consistency }) => consistency),
  );
  const style = useConsistencyMethod(candidates);
  const series = style ? linesOf(run, props, style) : [];
  const range = octaveRange(series.map(({ points }) => points));
  const [variable = ''] = variablesOf(diagnostics.values());
  const unit = squareOf(unitOf(variable));
  const { unit: lengthUnit } = wavelengthsOf(basin);
  return (
    <Figure
      id="octaves"
      title={
        style && range
          ? `Scales of ${variable}, ${style.title}, cycles ${from} to ${to}`
          : 'Scales of errors and spread'
      }
      help={OCTAVE_HELP}
      table={() => table(props, shownOverlaid(shownLines(run)), unit)}
      legend={style && curveLegend(laboratory, style, OCTAVE_CURVES, overlaid.value)}
      empty={range ? undefined : 'Errors, increments and spread by their scale appear here after the first cycle.'}
      note="Mean squares in each octave of the wavelength, long waves at the right; the first has all shorter waves as well."
      controls={
        <>
          <ConsistencyMethodChoice candidates={candidates} chosen={style} />
          <ComparedCurveChoice
            curves={OCTAVE_CURVES}
            chosen={comparedOctave.value}
            onChange={(curve) => {
              comparedOctave.value = curve;
            }}
          />
        </>
      }
    >
      {style && (
        <LinePlot
          summary={`Mean squares of error, increment and spread of ${style.title} by wavelength.`}
          x={{ label: 'Wavelength', unit: lengthUnit, scale: 'log' }}
          y={{ label: 'Mean square', unit, scale: 'log', ...(range && { domain: range }) }}
          series={series}
          pointing={{
            hovered: hovered.value,
            hover: (x) => {
              hovered.value = x;
            },
            // All lines have the same places.
            reach: 0,
          }}
          nameOf={(x) => `Wavelength ${formatQuantity(x, lengthUnit)}`}
          heightEm={16}
        />
      )}
    </Figure>
  );
}
