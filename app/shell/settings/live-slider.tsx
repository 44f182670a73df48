/** A slider for a number of a method that the run takes at its next cycle: a drag, or keys, and it is computed with it. */
import { useState } from 'preact/hooks';
import { effectOf } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import { setValue } from '../../form/edits.ts';
import type { FormNode, NumberNode } from '../../form/form-nodes.ts';
import { stepOf } from '../../form/number-field.tsx';
import { formatQuantity } from '../../format/numbers.ts';
import { formatPath } from '../../format/paths.ts';

/** Numbers that are tuned by hand: how far observations reach, how long the background's errors are, how much spread is added. */
const SLIDING = new Set(['inflation', 'halfWidth', 'length']);

/** A slider reaches up to so many times the number that it begins with. */
const REACH = 4;
/** Inflation 1 adds nothing, and 2 doubles the spread. */
const INFLATIONS = { from: 1, to: 2 } as const;

/** @returns whether a setting has a slider */
export function isSliding(node: FormNode): node is NumberNode {
  const [list, , ...inside] = node.path;
  return (
    node.kind === 'number' &&
    list === 'methods' &&
    SLIDING.has(String(inside.at(-1))) &&
    typeof node.value === 'number' &&
    effectOf(formatPath(node.path)) === 'next-cycle'
  );
}

interface SliderScale {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** @param start the number that holds @returns ends on the grid of the step, within what is allowed */
export function sliderScale({ path, integer, range, fallback }: NumberNode, start: number): SliderScale {
  const { minimum = range.exclusiveMinimum ?? -Infinity, maximum = range.exclusiveMaximum ?? Infinity } = range;
  if (path.at(-1) === 'inflation') {
    const step = 0.01;
    return { from: Math.max(minimum, INFLATIONS.from), to: Math.min(maximum, Math.max(INFLATIONS.to, start)), step };
  }
  const usual = typeof fallback === 'number' ? Math.max(start, fallback) : start;
  const step = stepOf(usual, integer);
  const least = range.exclusiveMinimum !== undefined || minimum <= 0 ? step : step * Math.ceil(minimum / step);
  return { from: Math.min(least, start), to: Math.min(maximum, REACH * usual), step };
}

export function LiveSlider({ node }: { readonly node: NumberNode }) {
  const run = useRun();
  const { endEdit, pendingEffect } = run.scenario;
  const value = Number(node.value);
  // It stays as it is while the number is dragged.
  const [{ from, to, step }] = useState(() => sliderScale(node, value));
  return (
    <input
      type="range"
      class="live-slider"
      aria-label={`${node.title}, slider`}
      aria-valuetext={formatQuantity(value, node.unit)}
      title="Applies at the next cycle, as soon as it is released"
      min={Math.min(from, value)}
      max={Math.max(to, value)}
      step={step}
      value={value}
      onInput={({ currentTarget }) => setValue(run, node, Number(currentTarget.value))}
      onChange={() => {
        // Whatever else waits to be applied may need a restart, which is for the button beneath.
        if (pendingEffect.peek() === 'next-cycle') void run.controller.apply();
      }}
      onPointerUp={endEdit}
      onBlur={endEdit}
    />
  );
}
