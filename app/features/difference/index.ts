/**
 * The stage as differences: each method's field minus that of one of them, in place of the first row's field. The methods of
 * branches have columns of their own, so that run and branch are compared in the same way.
 */
import { computed, effect, signal, untracked } from '@preact/signals';
import type { BasinInfo } from '../../../engine/index.ts';
import type { RunView } from '../../document/run-view.ts';
import type { ShownSnapshot } from '../../document/lines/shown.ts';
import { intervalOfWholes, requestsFor, type Answer, type Enquiry } from '../../document/values/plane-reader.ts';
import { dryDepth, fieldValues, isWet, planesOfField, type FieldPlanes } from '../../document/views/field-values.ts';
import { isTruth } from '../../document/views/method-style.ts';
import type { ShownPlanes } from '../../document/views/shown-planes.ts';
import type { Phase } from '../../document/views/view-state.ts';
import { fieldIn, inSentence, type Field, type FieldId } from '../../fields/fields.ts';
import { holdRange, joinRanges, largestOf, measured, rootMeanSquare } from '../../fields/ranges.ts';
import type { HeldRange, Range } from '../../fields/ranges.ts';
import { formatMeasured } from '../../format/numbers.ts';
import type { Command } from '../../page/commands.ts';
import { divergedAt, isComplete, numbersOf, phaseOfField, subjectPlanes } from '../../stage/snapshot-numbers.ts';
import { xrayOf } from '../x-ray/xray-state.ts';
import { slot } from '../../page/laboratory.ts';

/** What is subtracted from what. */
interface Question {
  readonly run: number;
  readonly basin: BasinInfo;
  readonly snapshot: ShownSnapshot;
  readonly field: FieldId;
  readonly phase: Phase;
  /** The method that is subtracted from the others. */
  readonly from: string;
  readonly others: readonly string[];
  /** Those of the others whose numbers the colours are made for. */
  readonly counted: ReadonlySet<string>;
}

/** One field minus another at each cell, [y][x]: 0 where either has no water. */
function fieldDifference(field: FieldId, of: FieldPlanes, from: FieldPlanes, basin: BasinInfo): Float32Array {
  const { nx, ny } = basin;
  const dry = dryDepth(basin.bed);
  const [ofAt, fromAt] = [of, from].map((planes) => fieldValues(field, planes, basin, dry));
  const hasWater = ({ eta }: FieldPlanes, cell: number): boolean => isWet(basin, cell, eta?.[cell] ?? Number.NaN, dry);
  const difference = new Float32Array(nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const cell = j * nx + i;
      if (!hasWater(of, cell) || !hasWater(from, cell)) continue;
      const value = ofAt(i, j) - fromAt(i, j);
      if (Number.isFinite(value)) difference[cell] = value;
    }
  }
  return difference;
}

/** Methods that the colours are not made for are drawn at most so many times as high as the ends of the range. */
const HIGHEST = 3;

/** @returns the planes of the methods that have the field, by label */
function differencesOf({ subject, numbers }: Answer<Question>): ReadonlyMap<string, Float32Array> {
  const { basin, snapshot, field, from, others } = subject;
  const phase = phaseOfField(field, subject.phase);
  const fieldPlanes = (label: string): FieldPlanes =>
    numbersOf(numbers, subjectPlanes(snapshot, label, phase, field), field);
  const subtracted = fieldPlanes(from);
  if (!isComplete(subtracted, field)) return new Map();
  return new Map(
    others.flatMap((label) => {
      const planes = fieldPlanes(label);
      return isComplete(planes, field) ? [[label, fieldDifference(field, planes, subtracted, basin)] as const] : [];
    }),
  );
}

function wordsOf(field: Field, title: string): Pick<ShownPlanes, 'title' | 'symbol' | 'unit' | 'description'> {
  const name = inSentence(field.title);
  return {
    title: `Difference of ${name}`,
    symbol: field.symbol.includes(' ') ? `Δ(${field.symbol})` : `Δ${field.symbol}`,
    unit: field.unit,
    description: `${field.title} of a method minus that of ${title}. The view of ${title} shows its ${name}.`,
  };
}

function createDifference(run: RunView) {
  const {
    course: { info, runNumber },
    view: { difference, field, phase, freeRunCounts },
    branches: { snapshot, subjects, styleOf },
    shown,
  } = run;
  const xray = xrayOf(run);

  const question = computed<Question | undefined>(() => {
    const from = difference.value;
    const basin = info.value?.basin;
    const now = snapshot.value;
    if (from === undefined || !basin || !now?.methods.some(({ method }) => method === from)) return undefined;
    const others = subjects.value.filter(({ label }) => label !== from && !isTruth(label));
    const counted = others.filter(
      ({ label, isFreeRun }) => (freeRunCounts.value || !isFreeRun) && divergedAt(now, label) === undefined,
    );
    return {
      run: runNumber.value,
      basin,
      snapshot: now,
      field: field.value,
      phase: phase.value,
      from,
      others: others.map(({ label }) => label),
      counted: new Set((counted.length > 0 ? counted : others).map(({ label }) => label)),
    };
  });

  const answer = signal<Answer<Question> | undefined>(undefined);
  let enquiry: Enquiry<Question> | undefined;
  const endReader = effect(() => {
    const reader = run.planeReader.value;
    const basin = info.value?.basin;
    enquiry?.close();
    enquiry = reader.open<Question>({
      interval: basin ? intervalOfWholes(basin) : 0,
      onAnswer: (found) => {
        answer.value = found;
      },
    });
  });
  const endAsking = effect(() => {
    const [asked] = [question.value, run.planeReader.value];
    if (!asked) {
      answer.value = undefined;
      return;
    }
    const { snapshot: of, field: id, from, others } = asked;
    const planes = [from, ...others].flatMap((label) => {
      const own = subjectPlanes(of, label, phaseOfField(id, asked.phase), id);
      return planesOfField(id).map((name) => own?.[name]);
    });
    answer.value = enquiry?.ask(asked, requestsFor(planes));
  });

  /** Ranges that hold for a run, by field and the method that is subtracted. */
  let held = new Map<string, HeldRange>();
  let heldOf = -1;

  function rangeOf(
    { run: number, field: id, from, counted, snapshot: { cycle } }: Question,
    planes: ShownPlanes['planes'],
  ) {
    if (heldOf !== number) held = new Map();
    heldOf = number;
    const found = [...planes].flatMap(([label, values]): Range[] => {
      const range =
        counted.has(label) && values.some((value) => value !== 0) && measured(Float64Array.from(values), 'diverging');
      return range ? [range] : [];
    });
    const key = `${id}/${from}`;
    const joined = joinRanges(found);
    if (joined) held.set(key, holdRange(held.get(key), joined, 'diverging', cycle));
    return held.get(key)?.range;
  }

  const planes = computed<ShownPlanes | undefined>(() => {
    const found = answer.value;
    // Who asks why an analysis is what it is sees the answer.
    if (!found || xray.isOn.value || found.subject.run !== runNumber.value) return undefined;
    const { basin, field: id, from } = found.subject;
    const differences = differencesOf(found);
    if (differences.size === 0) return undefined;
    const definition = fieldIn(basin, id);
    const title = styleOf(from)?.title ?? from;
    const range = rangeOf(found.subject, differences);
    const sizes = [...differences].map(([label, values]) => {
      const size = `${formatMeasured(rootMeanSquare(values))}\u00a0${definition.unit}`.trim();
      return [label, { title: 'RMS', text: size }] as const;
    });
    return {
      ...wordsOf(definition, title),
      minus: title,
      scores: new Map(sizes),
      scale: 'diverging',
      ...(range && {
        range: [range.from, range.to],
        reach: Math.max(range.to, ...[...differences.values()].map((values) => largestOf(values) / HIGHEST)),
      }),
      planes: differences,
      lift: definition.lift === 'value' || id === 'surface' ? 'value' : 'surface',
      marks: [],
    };
  });

  let own: ShownPlanes | undefined;
  // Others that show planes have the stage as long as they want it.
  const endShowing = effect(() => {
    const [next, there] = [planes.value, shown.value];
    untracked(() => {
      if (there === undefined || there === own) {
        own = next;
        shown.value = next;
      }
    });
  });

  return {
    /** Labels and titles of what can be subtracted: the methods on the stage. */
    choices: computed(() =>
      subjects.value
        .filter(({ label }) => !isTruth(label))
        .map(({ label }) => ({ label, title: styleOf(label)?.title ?? label })),
    ),
    dispose() {
      for (const end of [endShowing, endAsking, endReader]) end();
      enquiry?.close();
    },
  };
}

/** @returns the differences between methods of a run, on its stage */
export const differenceOf = slot(createDifference);

/** Fields, or their differences from each method on the stage. */
export function differenceCommands(run: RunView): readonly Command[] {
  const { difference } = run.view;
  const choices = differenceOf(run).choices.value;
  if (choices.length < 2) return [];
  return [
    ...choices.map(({ label, title }): Command => ({
      id: `stage.difference-${label}`,
      group: 'Stage',
      title: `Show differences from ${title}`,
      keywords: 'minus subtract compare methods branch',
      checked: () => difference.value === label,
      run: () => {
        difference.value = difference.value === label ? undefined : label;
      },
    })),
    {
      id: 'stage.difference-none',
      group: 'Stage',
      title: 'Show fields, not differences',
      enabled: () => difference.value !== undefined,
      run: () => {
        difference.value = undefined;
      },
    },
  ];
}
