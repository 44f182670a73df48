/** At which scales a method is wrong: power of its error in surface height by wavenumber, under that of the truth. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BasinInfo, Snapshot } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import type { RunView } from '../document/run-view.ts';
import { TRUTH_STYLE } from '../document/views/method-style.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { intervalOfWholes } from '../document/values/plane-reader.ts';
import { useAnswer } from '../document/values/use-answer.ts';
import type { DataTable } from '../format/csv.ts';
import { spectrumRequests } from './error-spectrum.ts';
import type { ErrorSpectra } from './error-spectrum.ts';
import { spectraDeskOf } from './spectra-service.ts';
import { Figure } from './figure.tsx';
import { legendOf, lineStyleOf } from './method-lines.ts';
import { formatQuantity } from '../format/numbers.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { powerLines, powerRange } from './spectrum-lines.ts';
import type { Spectrum } from './spectrum.ts';

interface SpectrumProps {
  readonly styles: readonly MethodStyle[];
  readonly snapshot: Snapshot | undefined;
  readonly basin: BasinInfo | undefined;
}

/** Whether anything of a spectrum is drawn: still water has none. */
function hasLine(spectrum: Spectrum): boolean {
  return powerLines(spectrum).some(({ y }) => Number.isFinite(y));
}

function lines(run: RunView, { truth, methods }: ErrorSpectra, styles: readonly MethodStyle[]): PlotSeries[] {
  return [
    {
      key: 'truth',
      label: 'Truth',
      color: TRUTH_STYLE.colour,
      dash: '',
      thin: true,
      unlabelled: true,
      points: powerLines(truth),
    },
    ...styles.flatMap((style) => {
      const spectrum = methods.get(style.label);
      return spectrum === undefined
        ? []
        : [
            {
              key: style.label,
              label: style.title,
              ...lineStyleOf(run, style),
              points: powerLines(spectrum),
              // All lines end together, if nothing distinguishes them.
              unlabelled: true,
            },
          ];
    }),
  ];
}

function table(spectra: ErrorSpectra, styles: readonly MethodStyle[]): DataTable {
  const shown = styles.filter(({ label }) => spectra.methods.has(label));
  return {
    columns: ['wavenumber (1/m)', 'wavelength (m)', 'truth (m³)', ...shown.map(({ title }) => `${title}: error (m³)`)],
    rows: spectra.truth.points.map(({ wavenumber, density }, bin) => [
      wavenumber,
      1 / wavenumber,
      density,
      ...shown.map(({ label }) => spectra.methods.get(label)?.points[bin]?.density ?? null),
    ]),
  };
}

interface ShownSpectra {
  /** The cycle that they are of. */
  readonly cycle: number;
  readonly spectra: ErrorSpectra;
}

/** @returns the spectra of the snapshot; while its fields are on their way, those that were here last */
function useSpectra(snapshot: Snapshot | undefined, basin: BasinInfo | undefined): ShownSpectra | undefined {
  const desk = spectraDeskOf(useLaboratory());
  const [, setKnown] = useState(0);
  /** Those that were here last, of this basin. */
  const last = useRef<(ShownSpectra & { readonly basin: BasinInfo }) | undefined>(undefined);
  const asked = snapshot && basin ? { snapshot, basin } : undefined;
  const found = asked && desk.known(asked.snapshot);
  if (asked && found) last.current = { cycle: asked.snapshot.cycle, spectra: found, basin: asked.basin };
  const answer = useAnswer(
    asked,
    asked && !found ? spectrumRequests(asked.snapshot) : undefined,
    basin && intervalOfWholes(basin),
  );
  const answered = answer?.subject;
  useEffect(() => {
    if (!answer || !answered) return;
    desk.compute(answered.snapshot, answered.basin, answer.numbers, () => setKnown((before) => before + 1));
  }, [answer]);
  return last.current?.basin === basin ? last.current : undefined;
}

export function SpectrumChart({ styles, snapshot, basin }: SpectrumProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const hovered = useSignal<number | undefined>(undefined);
  const isRing = basin?.isRing === true;
  const shown = useSpectra(isRing ? undefined : snapshot, basin);
  const spectra = shown?.spectra;
  const block = spectra?.truth.block ?? [1, 1];
  const series = spectra === undefined ? [] : lines(run, spectra, styles);
  const domain = spectra?.truth.points;
  const range = spectra && powerRange([spectra.truth, ...spectra.methods.values()]);
  return (
    <Figure
      id="spectrum"
      title={
        shown === undefined ? 'Error spectrum' : `Error spectrum, ${shown.cycle < 0 ? 'start' : `cycle ${shown.cycle}`}`
      }
      help="Variance of the analysis error of surface height by wavenumber, averaged over directions. Where a line meets that of the truth, the method knows nothing at that scale."
      table={() => (spectra === undefined ? { columns: [], rows: [] } : table(spectra, styles))}
      legend={legendOf(laboratory, [TRUTH_STYLE, ...styles])}
      empty={
        spectra !== undefined
          ? undefined
          : isRing
            ? 'Spectra are of two dimensions; a ring has one. Its waves are in the tab Hovmöller.'
            : snapshot !== undefined
              ? 'The fields of this cycle are on their way.'
              : 'The spectrum of each method’s error appears here with the first stored cycle.'
      }
      note={
        <>
          {spectra !== undefined && hasLine(spectra.truth) && 'Thin line: the truth itself.'}
          {block[0] * block[1] > 1 && ` Averaged over blocks of ${block[0]} × ${block[1]} cells first.`}
        </>
      }
    >
      <LinePlot
        summary={`Error spectrum by wavenumber for ${styles.map(({ title }) => title).join(', ')}.`}
        x={{
          label: 'Wavenumber',
          unit: '1/m',
          scale: 'log',
          ...(domain !== undefined &&
            domain.length > 1 && { domain: [domain[0].wavenumber, domain[domain.length - 1].wavenumber] as const }),
        }}
        y={{ label: 'Power', unit: 'm³', scale: 'log', ...(range && { domain: range }) }}
        series={series}
        pointing={{
          hovered: hovered.value,
          hover: (x) => {
            hovered.value = x;
          },
        }}
        nameOf={(x) => `Wavelength ${formatQuantity(1 / x, 'm')}`}
        heightEm={16}
      />
    </Figure>
  );
}
