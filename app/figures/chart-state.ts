/** What is chosen in the charts of one run, and what they share: it stays while other charts are looked at. */
import { computed, signal } from '@preact/signals';
import { comparedVariables, type BandSpectra } from '../../engine/index.ts';
import { TRUTH } from '../document/views/method-style.ts';
import type { RunEdits } from '../document/scenario/run-edits.ts';
import type { RunCourse } from '../document/run/run-course.ts';
import { comparisonOf, comparisons, namesOf, type ScoreCurve } from './figure-data.ts';
import type { ConsistencyCurve } from './consistency-rows.ts';
import type { Quantity } from './hovmoller/picture.ts';
import { createOverlaid, withoutHidden, type ShownLines } from '../document/lines/overlaid.ts';
import type { ResultOrder } from './results.ts';
import { variablesOf, type Stage } from '../document/views/series.ts';
import type { RunView } from '../document/run-view.ts';
import type { Pointing } from '../plot/plot-overlay.tsx';
import { slot } from '../page/laboratory.ts';

/** The latest changes in words, for a caption. */
const MOST_NAMED = 3;

export function createChartState(course: RunCourse, { runMarks }: Pick<RunEdits, 'runMarks'>) {
  const { diagnostics, info } = course;
  /** `hu, hv`; empty for those that the networks observe. */
  const chosenVariables = signal('');
  /** Whether axes of errors are made for the free run as well, which is often many times as wrong as the methods. */
  const withFreeRun = signal(false);
  /** The part of a cycle whose errors are drawn. */
  const errorStage = signal<Stage | 'both'>('analysis');
  /** Order of the table of the methods. */
  const resultOrder = signal<ResultOrder>({ column: 'method', descending: false });
  /** The label of the method whose minimisation is drawn; the first that has one where the run has no such method. */
  const minimisedMethod = signal('');

  /** The label of the method whose scales and scores are drawn; the last that has some where the run has no such method. */
  const consistencyMethod = signal('');
  /** The test of consistency whose numbers are open, by its key, and the curve that is drawn; empty for none. */
  const consistencyTest = signal('');
  const consistencyCurve = signal<ConsistencyCurve | ''>('');
  /** The curve of a method that other runs are compared with, for scales and for scores: the others are drawn back. */
  const comparedOctave = signal<keyof BandSpectra>('forecastError');
  const comparedScore = signal<ScoreCurve>('crps');
  /** The variable whose members are compared with the truth; empty for the first. */
  const chosenSampled = signal('');

  /** Subject of the Hovmöller plot: the truth, or a method's label; and its field. */
  const hovmollerSubject = signal(TRUTH);
  const hovmollerQuantity = signal<Quantity>('state');

  const variables = computed(() => variablesOf(diagnostics.value.values()));
  const observed = computed(() => (info.value ? comparedVariables(info.value.scenario) : []));
  const choices = computed(() => comparisons(variables.value, observed.value));
  const comparison = computed(() => comparisonOf(chosenVariables.value, variables.value, observed.value));
  const shownVariables = computed(() => namesOf(comparison.value));
  /** Ranks are counted of what is observed: the first of these that is shown, or the first of all. */
  const rankedVariable = computed(
    () => shownVariables.value.find((name) => observed.value.includes(name)) ?? observed.value[0] ?? 'h',
  );

  /** The members are compared with the truth in what is observed. */
  const sampledVariables = computed(() => (observed.value.length > 0 ? observed.value : variables.value.slice(0, 1)));
  const sampledVariable = {
    get value(): string {
      const names = sampledVariables.value;
      return names.find((name) => name === chosenSampled.value) ?? names[0] ?? '';
    },
    set value(name: string) {
      chosenSampled.value = name;
    },
  };

  /** What was changed while the run continued, by cycle: charts over cycles show where. */
  const editMarks = computed(() =>
    runMarks.value
      .filter(({ kind }) => kind === 'edit')
      .map(({ cycle: x, text }) => ({ x, text: `Changed at cycle ${x}: ${text}` })),
  );
  const editNote = computed(() => {
    const texts = editMarks.value.map(({ text }) => `${text}.`);
    const left = texts.length - MOST_NAMED;
    const named = texts.slice(-MOST_NAMED).join(' ');
    return left > 0 ? `${left} earlier changes. ${named}` : named;
  });

  return {
    ...createOverlaid(course),
    chosenVariables,
    withFreeRun,
    errorStage,
    resultOrder,
    minimisedMethod,
    consistencyMethod,
    consistencyTest,
    consistencyCurve,
    comparedOctave,
    comparedScore,
    sampledVariables,
    sampledVariable,
    hovmollerSubject,
    hovmollerQuantity,
    choices,
    comparison,
    shownVariables,
    rankedVariable,
    editMarks,
    editNote,
  };
}

type ChartState = ReturnType<typeof createChartState>;

export function createChartsOf(run: RunView) {
  const charts = createChartState(run.course, run.edits);
  charts.overlay(() => run.branches.overlaid.value);
  const { difference: chosen } = run.view;
  /** As on the stage; empty for none. */
  const difference = {
    get value(): string {
      return chosen.value ?? '';
    },
    set value(label: string) {
      chosen.value = label === '' ? undefined : label;
    },
  };
  return { ...charts, difference };
}

/** @returns what is chosen in the charts of a run */
export const chartsOf = slot(createChartsOf);

/** @returns the runs that are drawn over the charts of a run, and what draws their lines back */
export function shownLines({
  view: { hiddenMethods, highlightedMethod },
  charts: { overlaid, highlightedRun, withFreeRun },
}: Pick<RunView, 'view'> & { readonly charts: ChartState }): ShownLines {
  return {
    overlaid: withoutHidden(overlaid.value, hiddenMethods.value),
    highlightedMethod: highlightedMethod.value,
    highlightedRun: highlightedRun.value,
    withFreeRun: withFreeRun.value,
  };
}

/** Pauses and shows a cycle everywhere; stays there unless it is the newest one. */
export function selectCycle(run: RunView, wanted: number): void {
  const { controller } = run;
  controller.pause();
  controller.scrub(wanted);
}

/** Pointing of the charts over cycles: read while drawing, so that a chart follows all others. */
export function cyclePointing(run: RunView): Pointing {
  const {
    view: { hoveredCycle, pinnedCycle },
    course: { cycle, cycleDomain },
  } = run;
  const { editMarks } = chartsOf(run);
  return {
    hovered: hoveredCycle.value,
    hover: (x) => {
      hoveredCycle.value = x;
    },
    selected: cycle.value,
    ...(pinnedCycle.value !== undefined && { pinned: pinnedCycle.value }),
    pin: (at) => {
      pinnedCycle.value = at;
    },
    marks: editMarks.value,
    select: (wanted) => selectCycle(run, wanted),
    ...(cycleDomain.value && { domain: cycleDomain.value }),
    zoom: (domain) => {
      cycleDomain.value = domain;
    },
  };
}

export function cycleName(x: number): string {
  return x < 0 ? 'before cycle 0' : `Cycle ${Math.round(x)}`;
}
