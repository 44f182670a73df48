/** A figure of the registry in the window: its panels with crosshair, zoom and hovering, its choices, and its files. */
import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BasinInfo } from '../../engine/index.ts';
import { useRun, useAnswer } from '../document/context.ts';
import type { RunView } from '../document/run-view.ts';
import { intervalOfWholes } from '../document/values/plane-reader.ts';
import { TRUTH_STYLE } from '../document/views/method-style.ts';
import { useLaboratory } from '../page/laboratory.ts';
import { Axes, LinePlot } from '../plot/line-plot.tsx';
import { layoutBars } from '../plot/bars.ts';
import type { Pointing } from '../plot/plot-overlay.tsx';
import { useSize } from '../plot/use-size.ts';
import { chartsOf, shownLines, cycleName, cyclePointing } from './chart-state.ts';
import { spectrumRequests, type RunSpectra } from './spectrum.ts';
import { valueAxis } from './figure-data.ts';
import type { BarPanel, FigureData, FigureEntry, LinePanel, ShownRun } from './figure-data.ts';
import { Control } from './figure-controls.tsx';
import { Figure } from './figure.tsx';
import { spectraDeskOf } from './spectra-service.ts';
import { SPECTRUM } from './spectra.ts';

/** What is given, so that figures are drawn one after another when a cycle arrives. */
type Given = Pick<ShownRun, 'styles' | 'diagnostics' | 'from' | 'to' | 'scenario' | 'basin'>;

/** @returns the run on screen with what is chosen in its charts: read while drawing, so that a figure follows it */
function shownRun(run: RunView, given: Given, spectra: ShownRun['spectra']): ShownRun {
  const charts = chartsOf(run);
  return {
    ...given,
    spectra,
    truth: TRUTH_STYLE,
    ended: run.course.divergedMethods.value,
    variables: charts.shownVariables.value,
    shown: shownLines({ view: run.view, charts }),
    stage: charts.errorStage.value,
    difference: charts.difference.value,
    comparison: charts.comparison.value,
    comparisons: charts.choices.value,
    sampledVariable: charts.sampledVariable.value,
    sampledVariables: charts.sampledVariables.value,
    rankedVariable: charts.rankedVariable.value,
    consistencyMethod: charts.consistencyMethod.value,
    comparedOctave: charts.comparedOctave.value,
    comparedScore: charts.comparedScore.value,
    editNote: charts.editNote.value,
    overlaidNote: charts.overlaidNote.value,
  };
}

/** @returns the spectra of the cycle on screen; while its fields are on their way, those that were here last */
function useSpectra(basin: BasinInfo | undefined): RunSpectra | 'coming' | undefined {
  const current = useRun().course.currentSnapshot.value;
  const snapshot = basin?.isRing === true ? undefined : current;
  const desk = spectraDeskOf(useLaboratory());
  const [, setKnown] = useState(0);
  /** The latest spectra, and their basin. */
  const last = useRef<{ readonly spectra: RunSpectra; readonly basin: BasinInfo } | undefined>(undefined);
  const asked = snapshot && basin ? { snapshot, basin } : undefined;
  const found = asked && desk.known(asked.snapshot);
  if (asked && found) last.current = { spectra: found, basin: asked.basin };
  const answer = useAnswer(
    asked,
    asked && !found ? spectrumRequests(asked.snapshot, asked.basin) : undefined,
    basin && intervalOfWholes(basin),
  );
  const answered = answer?.subject;
  useEffect(() => {
    if (!answer || !answered) return;
    desk.compute(answered.snapshot, answered.basin, answer.numbers, () => setKnown((before) => before + 1));
  }, [answer]);
  return last.current && last.current.basin === basin ? last.current.spectra : snapshot && 'coming';
}

type DrawnProps = Given & { readonly figure: FigureEntry };

export function DrawnFigure(props: DrawnProps) {
  return props.figure === SPECTRUM ? <WithSpectra {...props} /> : <Drawn {...props} spectra={undefined} />;
}

function WithSpectra(props: DrawnProps) {
  return <Drawn {...props} spectra={useSpectra(props.basin)} />;
}

function Drawn({ figure: { id, inWindow }, spectra, ...given }: DrawnProps & Pick<ShownRun, 'spectra'>) {
  const data = inWindow?.(shownRun(useRun(), given, spectra));
  return data ? <DataFigure id={id} data={data} /> : null;
}

interface DataFigureProps {
  readonly id: string;
  readonly data: FigureData;
  /** After the figure’s own. */
  readonly controls?: ComponentChildren;
}

/** Whether the values of a panel can be drawn on a logarithmic axis: none is 0 or below. */
function hasDecades(panel: FigureData['panels'][number]): panel is LinePanel {
  if (panel.kind !== 'lines') return false;
  const { series } = panel;
  return (
    series.some(({ points }) => points.length > 0) && series.every(({ points }) => !points.some(({ y }) => y <= 0))
  );
}

/** A figure’s data with what every figure of the evidence has. */
export function DataFigure({ id, data, controls: further }: DataFigureProps) {
  const theme = useLaboratory().preferences.resolvedTheme.value;
  const place = useSignal<OwnPlace>({});
  const { title, help, panels, note, empty, legend = [], controls = [], table } = data;
  const [isLog, setLog] = useState<boolean>();
  const withDecades = panels.filter(hasDecades);
  const [first] = withDecades;
  const log = isLog ?? (first !== undefined && valueAxis([first]).scale === 'log');
  return (
    <Figure
      id={id}
      title={title}
      help={help}
      table={table ?? (() => ({ columns: [], rows: [] }))}
      legend={legend.map((entry) => ({ title: entry.title, color: entry[theme], dash: entry.dash }))}
      note={note}
      empty={empty}
      logarithmic={first && { isLog: log, toggle: () => setLog(!log) }}
      controls={
        <>
          {controls.map((control) => (
            <Control key={typeof control === 'string' ? control : control.label} control={control} />
          ))}
          {further}
        </>
      }
    >
      {panels.map((panel) =>
        panel.kind === 'lines' ? (
          <Lines
            key={panel.y.label}
            panel={panel}
            place={place}
            isLog={withDecades.includes(panel) ? isLog : undefined}
          />
        ) : (
          <Bars key={panel.name} panel={panel} />
        ),
      )}
    </Figure>
  );
}

/** Where one is on an axis other than that of the cycles: what is pointed at, where the cursor is pinned, what is shown. */
type OwnPlace = Partial<Pick<Pointing, 'hovered' | 'pinned' | 'domain'>>;

interface LinesProps {
  readonly panel: LinePanel;
  readonly place: Signal<OwnPlace>;
  /** Whether the axis of values is logarithmic; as the figure has it if undefined. */
  readonly isLog: boolean | undefined;
}

/** Pointing of charts over an axis of their own. */
function ownPointing(place: Signal<OwnPlace>, reach: number | undefined): Pointing {
  const change = (key: keyof OwnPlace) => (value: OwnPlace[typeof key]) => {
    const { [key]: _before, ...others } = place.value;
    place.value = value === undefined ? others : { ...others, [key]: value };
  };
  const [hover, pin, zoom] = (['hovered', 'pinned', 'domain'] as const).map(change);
  return { hovered: undefined, ...place.value, hover, pin, zoom, ...(reach !== undefined && { reach }) };
}

function Lines({ panel, place, isLog }: LinesProps) {
  const run = useRun();
  const { summary, x, series, references, heightEm, labelLetters, reading } = panel;
  const own = reading && ownPointing(place, reading.reach);
  return (
    <LinePlot
      summary={summary}
      x={x}
      y={{ ...valueAxis([panel]), ...(isLog !== undefined && { scale: isLog ? 'log' : 'linear' }) }}
      series={series}
      {...(references && { references })}
      pointing={own ?? cyclePointing(run)}
      nameOf={reading?.nameOf ?? cycleName}
      {...(heightEm !== undefined && { heightEm })}
      {...(labelLetters !== undefined && { labelLetters })}
    />
  );
}

/** The height of a panel of bars, in sizes of the type. */
const BARS_EM = 9.5;

function Bars({ panel }: { readonly panel: BarPanel }) {
  const [area, { width, em, stretch }] = useSize();
  const { name, words, summary, colour, bars, outlines } = panel;
  const height = Math.round(BARS_EM * em * stretch);
  const plot = width > 0 ? layoutBars(panel, { width, height, em }) : undefined;
  return (
    <div class="rank-histogram">
      <p class="figure-note">
        <i class="swatch" style={{ background: colour }} /> <strong>{name}</strong> {words}
      </p>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {plot !== undefined && (
          <svg
            class="chart"
            role="img"
            aria-label={summary}
            data-legend={outlines.length > 0}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <Axes layout={plot.layout} x={panel.x} y={panel.y} em={em} />
            {bars.map(({ from, title }, n) => (
              <rect key={from} class="chart-bar" {...plot.bars[n]} fill={colour}>
                <title>{title}</title>
              </rect>
            ))}
            <line class="chart-expected" x1={plot.layout.left} x2={plot.layout.right} y1={plot.level} y2={plot.level} />
            {outlines.map(({ key, title, dash, faded }, n) => (
              <path
                key={key}
                class={faded ? 'chart-outline chart-faded' : 'chart-outline'}
                d={plot.outlines[n]}
                stroke-dasharray={dash}
              >
                <title>{title}</title>
              </path>
            ))}
          </svg>
        )}
      </div>
    </div>
  );
}
