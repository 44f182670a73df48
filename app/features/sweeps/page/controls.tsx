/** What is drawn of a sweep: by which measure, of which method, over which axes. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useLaboratory } from '../../../page/laboratory.ts';
import { variedAxes, sweepStyles } from '../arrangement.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { sweepsOf, type SweepView } from '../sweeps-state.ts';

const VIEWS: readonly { readonly id: SweepView; readonly title: string }[] = [
  { id: 'map', title: 'Heat map' },
  { id: 'lines', title: 'Lines' },
  { id: 'methods', title: 'Methods' },
];

const NONE = 'none';

interface SelectProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly options: readonly { readonly value: number | undefined; readonly title: string }[];
  readonly onChange: (value: number | undefined) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div class="sweep-choice">
      <label class="label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="select"
        value={String(value ?? NONE)}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => String(option.value ?? NONE) === currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.title} value={String(option.value ?? NONE)}>
            {option.title}
          </option>
        ))}
      </select>
    </div>
  );
}

export function SweepControls({ table }: { readonly table: SweepTable }) {
  const { view, subject, axes, chooseSubject, choosePlace } = sweepsOf(useLaboratory());
  const { measure, method } = subject.value;
  const varied = variedAxes(table);
  const placed = varied.map((axis) => ({ value: axis, title: table.axes[axis].title }));
  const isMethods = view.value === 'methods';
  return (
    <div class="sweep-controls" role="group" aria-label="What is drawn">
      <Segments>
        {VIEWS.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-pressed={view.value === id}
            onClick={() => {
              view.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </Segments>
      <Select
        label="Measure"
        value={measure}
        options={table.measures.map(({ title }, value) => ({ value, title }))}
        onChange={(chosen = 0) => chooseSubject({ measure: chosen })}
      />
      {!isMethods && (
        <Select
          label="Method"
          value={method}
          options={sweepStyles(table).map(({ title }, value) => ({ value, title }))}
          onChange={(chosen = 0) => chooseSubject({ method: chosen })}
        />
      )}
      {varied.length > 0 && (
        <Select label="Across" value={axes.value.x} options={placed} onChange={(chosen) => choosePlace('x', chosen)} />
      )}
      {varied.length > 1 && (
        <Select
          label={view.value === 'lines' ? 'A line each' : 'Upwards'}
          value={axes.value.y}
          options={[...placed, { value: undefined, title: 'none' }]}
          onChange={(chosen) => choosePlace('y', chosen)}
        />
      )}
    </div>
  );
}

function Segments({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="sweep-segments" role="group" aria-label="As">
      {children}
    </div>
  );
}
