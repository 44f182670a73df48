/** What the curves of consistency are given, and the choices that several of them share. */
import { useRun } from '../document/context.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { Choice } from '../controls/choice.tsx';
import type { DiagnosticsProps } from './rmse-series.ts';
import { chartsOf } from './chart-state.ts';

export interface CountedProps extends DiagnosticsProps {
  /** First and last cycle that means are over. */
  readonly from: number;
  readonly to: number;
}

/** The choice of the variable whose members are shown. */
export function SampledVariableChoice() {
  const { sampledVariable, sampledVariables } = chartsOf(useRun());
  return (
    <Choice
      label="Variable"
      value={sampledVariable.value}
      options={sampledVariables.value.map((name) => ({ value: name, label: name }))}
      onChange={(name) => {
        sampledVariable.value = name;
      }}
    />
  );
}

/** @returns the method that is chosen among those that have what is drawn; undefined if none has */
export function useConsistencyMethod(candidates: readonly MethodStyle[]): MethodStyle | undefined {
  const { consistencyMethod } = chartsOf(useRun());
  return candidates.find(({ label }) => label === consistencyMethod.value) ?? candidates.at(-1);
}

interface MethodChoiceProps {
  readonly candidates: readonly MethodStyle[];
  readonly chosen: MethodStyle | undefined;
}

export function ConsistencyMethodChoice({ candidates, chosen }: MethodChoiceProps) {
  const { consistencyMethod } = chartsOf(useRun());
  return (
    <Choice
      label="Method"
      value={chosen?.label ?? ''}
      options={candidates.map(({ label, title }) => ({ value: label, label: title }))}
      onChange={(label) => {
        consistencyMethod.value = label;
      }}
    />
  );
}

interface CurveChoiceProps<Curve extends string> {
  /** That the figure draws of its method. */
  readonly curves: readonly { readonly of: Curve; readonly label: string }[];
  readonly chosen: Curve;
  readonly onChange: (curve: Curve) => void;
}

/** The choice of the curve of a method that other runs are compared with; nothing if there are no such runs. */
export function ComparedCurveChoice<Curve extends string>({ curves, chosen, onChange }: CurveChoiceProps<Curve>) {
  const { overlaid } = chartsOf(useRun());
  if (overlaid.value.length === 0) return null;
  return (
    <Choice
      label="Curve to compare with other runs"
      value={chosen}
      options={curves.map(({ of, label }) => ({ value: of, label }))}
      onChange={onChange}
    />
  );
}
