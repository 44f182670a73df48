/** Error, increment and spread of a method by octaves of the wavelength: at which scales its members know their errors. */
import { useSignal } from '@preact/signals';
import { meanSpectra } from '../../../engine/index.ts';
import type { BasinInfo } from '../session/session.ts';
import { useRun } from '../state/context.ts';
import { withUnit } from '../state/fields.ts';
import type { MethodStyle } from '../state/method-style.ts';
import { ConsistencyMethodChoice, useConsistencyMethod } from './consistency-choices.tsx';
import type { CountedProps } from './consistency-choices.tsx';
import {
  OCTAVE_CURVES,
  OCTAVE_HELP,
  octavePoints,
  octaveRange,
  squareOf,
  wavelengthsOf,
} from './consistency-curves.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { formatQuantity } from './numbers.ts';
import type { PlotSeries } from './plot/layout.ts';
import { LinePlot } from './plot/line-plot.tsx';
import { countedRows, unitOf, variablesOf } from './series.ts';

interface OctaveProps extends CountedProps {
  readonly basin: BasinInfo;
}

function table(props: OctaveProps, unit: string): DataTable {
  const { lengths, unit: lengthUnit } = wavelengthsOf(props.basin);
  return {
    columns: [
      'method',
      withUnit('wavelength', lengthUnit),
      ...OCTAVE_CURVES.map(({ title }) => withUnit(`mean square of the ${title}`, unit)),
    ],
    rows: props.styles.flatMap((style) => {
      const spectra = meanSpectra(countedRows(props, style));
      return spectra
        ? lengths.map((length, band) => [style.title, length, ...OCTAVE_CURVES.map(({ of }) => spectra[of][band])])
        : [];
    }),
  };
}

function linesOf(props: OctaveProps, style: MethodStyle): PlotSeries[] {
  const spectra = meanSpectra(countedRows(props, style));
  const wavelengths = wavelengthsOf(props.basin);
  if (!spectra) return [];
  return OCTAVE_CURVES.flatMap(({ of, label, dash }) => {
    const points = octavePoints(wavelengths, spectra[of]);
    return points.length === 0 ? [] : [{ key: of, label, color: style.colour, dash, points, marked: true }];
  });
}

export function OctaveChart(props: OctaveProps) {
  const { styles, diagnostics, from, to, basin } = props;
  const hovered = useSignal<number | undefined>(undefined);
  const { hiddenMethods } = useRun().view;
  const candidates = styles.filter(
    ({ label }) =>
      !hiddenMethods.value.has(label) && (diagnostics.get(label) ?? []).some(({ consistency }) => consistency),
  );
  const style = useConsistencyMethod(candidates);
  const series = style ? linesOf(props, style) : [];
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
      table={() => table(props, unit)}
      empty={range ? undefined : 'Errors, increments and spread by their scale appear here after the first cycle.'}
      note="Mean squares in each octave of the wavelength, long waves at the right; the first has all shorter waves as well."
      controls={<ConsistencyMethodChoice candidates={candidates} chosen={style} />}
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
