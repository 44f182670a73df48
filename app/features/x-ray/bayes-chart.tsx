/** Bayes on one axis as a picture: the likelihood, moved by hand or arrow keys, and under it a row for each method. */
import { useRef, useState } from 'preact/hooks';
import type { ObservationExplanation } from '../../../engine/index.ts';
import { withUnit } from '../../fields/fields.ts';
import { useSize } from '../../plot/use-size.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import {
  bayesDomain,
  curvePath,
  gaussianOf,
  highestOf,
  layoutBayes,
  readBy,
  boundedError,
  movedError,
  movedValue,
} from './bayes-layout.ts';
import type { BayesLayout, BayesRow, Gaussian, Reading } from './bayes-layout.ts';
import { meanText } from './answers.ts';
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { formatQuantity } from '../../format/numbers.ts';

interface HandleProperties {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly bounds: readonly [number, number];
  /** Pixels of its middle. */
  readonly x: number;
  readonly y: number;
  readonly kind: 'value' | 'error';
  /** @param pixel along the axis */
  readonly onDrag: (pixel: number) => void;
  /** @returns whether the key meant something */
  readonly onKey: (event: TargetedKeyboardEvent<HTMLElement>) => boolean;
  readonly onHold: (held: boolean) => void;
}

function Handle({ label, text, value, bounds, x, y, kind, onDrag, onKey, onHold }: HandleProperties) {
  const drag = (event: TargetedPointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(event.clientX - box.left);
  };
  return (
    <div
      class={`bayes-handle bayes-handle-${kind}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={bounds[0]}
      aria-valuemax={bounds[1]}
      aria-valuetext={text}
      title={label}
      style={{ left: `${x}px`, top: `${y}px` }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onHold(true);
      }}
      onPointerMove={drag}
      onLostPointerCapture={() => onHold(false)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !onKey(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

interface HandlesProperties {
  readonly layout: BayesLayout;
  readonly reading: Reading;
  /** As the observation was. */
  readonly own: Reading;
  readonly unit: string;
  readonly onRead: (reading: Partial<Reading>) => void;
  /** A handle was grabbed, or released. */
  readonly onHold: (held: boolean) => void;
}

/** Value and σₒ as two sliders over the topmost curve. */
function LikelihoodHandles({ layout: { x, top, left, right }, reading, own, unit, onRead, onHold }: HandlesProperties) {
  const { value, errorStd } = reading;
  const within = (pixel: number): number => Math.min(right, Math.max(left, pixel));
  return (
    <>
      <Handle
        kind="value"
        label="What the observation has read"
        text={formatQuantity(value, unit)}
        value={value}
        bounds={x.domain}
        x={within(x.at(value))}
        y={top.baseline - 0.62 * top.height}
        onHold={onHold}
        onDrag={(pixel) => onRead({ value: x.invert(within(pixel)) })}
        onKey={({ key, shiftKey }) => {
          const next = movedValue(reading, key, shiftKey);
          if (next !== undefined) onRead({ value: next });
          return next !== undefined;
        }}
      />
      <Handle
        kind="error"
        label="Its error σₒ"
        text={formatQuantity(errorStd, unit)}
        value={errorStd}
        bounds={[boundedError(0, own.errorStd), boundedError(Infinity, own.errorStd)]}
        x={within(x.at(value + errorStd))}
        y={top.baseline}
        onHold={onHold}
        onDrag={(pixel) => onRead({ errorStd: boundedError(Math.abs(x.invert(within(pixel)) - value), own.errorStd) })}
        onKey={({ key }) => {
          const next = movedError(reading, key);
          if (next !== undefined) onRead({ errorStd: boundedError(next, own.errorStd) });
          return next !== undefined;
        }}
      />
    </>
  );
}

/** What a method says of the observation. */
export interface Told {
  readonly style: MethodStyle;
  readonly explanation: ObservationExplanation;
}

function gaussianOfReading({ value, errorStd }: Reading): Gaussian {
  return { mean: value, deviation: errorStd };
}

function Ticks(properties: {
  readonly values: Float64Array;
  readonly layout: BayesLayout;
  readonly from: number;
  readonly to: number;
  readonly colour: string;
}) {
  const { values, layout, from, to, colour } = properties;
  const path = Array.from(values, (value) => `M${layout.x.at(value).toFixed(1)} ${from}V${to}`).join('');
  return <path class="bayes-ticks" d={path} stroke={colour} />;
}

function MethodRow({
  told: { style, explanation },
  layout,
  row,
  likelihood,
  em,
  isAsRead,
  isWithheld,
}: {
  readonly told: Told;
  readonly layout: BayesLayout;
  readonly row: BayesRow;
  readonly likelihood: Gaussian;
  readonly em: number;
  readonly isAsRead: boolean;
  readonly isWithheld: boolean;
}) {
  const { prior, alone, together, isUsed } = explanation;
  const [before, after] = [gaussianOf(prior), gaussianOf(alone)];
  const most = highestOf([before, after, likelihood]);
  const { baseline } = row;
  const all = layout.x.at(together.mean);
  return (
    <g>
      <text class="chart-label" x={layout.left} y={baseline - row.height - 0.45 * em} fill={style.colour}>
        {style.title}
        {!isUsed && <tspan class="bayes-rejected"> rejects it</tspan>}
      </text>
      <path class="bayes-likelihood" d={curvePath(likelihood, layout, row, most)} />
      {after && !isWithheld && (
        <path
          class="bayes-posterior"
          d={curvePath(after, layout, row, most)}
          fill={style.colour}
          stroke={style.colour}
        />
      )}
      {before && <path class="bayes-prior" d={curvePath(before, layout, row, most)} stroke={style.colour} />}
      {!after && !isWithheld && (
        <line
          class="bayes-mean"
          x1={layout.x.at(alone.mean)}
          x2={layout.x.at(alone.mean)}
          y1={baseline}
          y2={baseline - row.height}
          stroke={style.colour}
        />
      )}
      <Ticks
        values={prior.members}
        layout={layout}
        from={baseline - 0.55 * em}
        to={baseline - 1}
        colour={style.colour}
      />
      {!isWithheld && (
        <Ticks
          values={alone.members}
          layout={layout}
          from={baseline + 2}
          to={baseline + 0.65 * em}
          colour={style.colour}
        />
      )}
      <line class="chart-axis" x1={layout.left} x2={layout.right} y1={baseline} y2={baseline} />
      {isAsRead && !isWithheld && (
        <path class="bayes-together" d={`M${all.toFixed(1)} ${baseline}l-4 7h8z`} stroke={style.colour}>
          <title>{`With all observations of the cycle: ${meanText(together)}`}</title>
        </path>
      )}
    </g>
  );
}

export interface ChartProperties {
  readonly told: readonly Told[];
  readonly reading: Reading;
  /** As the observation was. */
  readonly own: Reading;
  readonly isAsRead: boolean;
  /** Whether posteriors are hidden. */
  readonly isWithheld: boolean;
  readonly onRead: (reading: Partial<Reading>) => void;
}

export function BayesChart({ told, reading, own, isAsRead, isWithheld, onRead }: ChartProperties) {
  const [area, { width, em }] = useSize();
  const likelihood = gaussianOfReading(reading);
  const { unit, observation } = told[0].explanation;
  const domain = bayesDomain(
    told.map(({ explanation }) => explanation),
    likelihood,
  );
  // While a hand holds the likelihood, the axis under it stays.
  const held = useRef<readonly [number, number] | undefined>(undefined);
  const [isHeld, setHeld] = useState(false);
  if (!isHeld) held.current = domain;
  const axis = { label: observation.variable, unit };
  const layout = width > 0 ? layoutBayes({ width, em, methods: told.length }, held.current ?? domain, axis) : undefined;
  const at = layout?.x.at(reading.value) ?? 0;
  return (
    <div class="chart-area" ref={area} style={{ height: `${layout?.height ?? 0}px` }}>
      {layout && (
        <>
          <svg
            class="chart bayes"
            role="img"
            aria-label={`Prior${isWithheld ? ' and likelihood' : ', likelihood and posterior'} of observation ${observation.index ?? ''} for ${told.map(({ style }) => style.title).join(', ')}, over ${withUnit(axis.label, axis.unit)}.`}
            width={layout.width}
            height={layout.height}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
          >
            <path class="bayes-told" d={curvePath(likelihood, layout, layout.top, highestOf([likelihood]))} />
            <line
              class="bayes-reading"
              x1={at}
              x2={at}
              y1={layout.top.baseline - layout.top.height}
              y2={layout.bottom}
            />
            <line
              class="chart-axis"
              x1={layout.left}
              x2={layout.right}
              y1={layout.top.baseline}
              y2={layout.top.baseline}
            />
            <text class="chart-label bayes-told-label" x={layout.left} y={0.9 * em}>
              Observation {meanText({ mean: reading.value, deviation: reading.errorStd })} {unit}
            </text>
            {told.map((each, n) => (
              <MethodRow
                key={each.style.label}
                told={each}
                layout={layout}
                row={layout.rows[n]}
                likelihood={gaussianOfReading(readBy(reading, own, each.explanation.observation))}
                em={em}
                isAsRead={isAsRead}
                isWithheld={isWithheld}
              />
            ))}
            <line class="chart-axis" x1={layout.left} x2={layout.right} y1={layout.bottom} y2={layout.bottom} />
            {layout.x.ticks.map(({ value, text }) => (
              <g key={value}>
                <line
                  class="chart-axis"
                  x1={layout.x.at(value)}
                  x2={layout.x.at(value)}
                  y1={layout.bottom}
                  y2={layout.bottom + 4}
                />
                <text class="chart-tick" x={layout.x.at(value)} y={layout.bottom + 4 + 0.95 * em} text-anchor="middle">
                  {text}
                </text>
              </g>
            ))}
            <text
              class="chart-axis-title"
              x={(layout.left + layout.right) / 2}
              y={layout.bottom + 4 + 2.15 * em}
              text-anchor="middle"
            >
              {withUnit(axis.label, axis.unit)}
            </text>
          </svg>
          <LikelihoodHandles layout={layout} reading={reading} own={own} unit={unit} onRead={onRead} onHold={setHeld} />
        </>
      )}
    </div>
  );
}
