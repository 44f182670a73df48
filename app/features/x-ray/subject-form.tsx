/** What the X-ray is of, as numbers: whatever a click chooses, these do as well. */
import { useRun } from '../../document/context.ts';
import { placeText } from '../../document/views/place-text.ts';
import type { XraySubject } from './subject.ts';
import { xrayOf } from './xray-state.ts';

interface NumberProperties {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

function WholeNumber({ label, value, most, onChange }: NumberProperties) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        max={most}
        step={1}
        value={value}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          if (Number.isInteger(valueAsNumber) && valueAsNumber >= 0 && valueAsNumber <= most) onChange(valueAsNumber);
        }}
      />
    </label>
  );
}

/** The number of the observation that is first asked about if none is. */
const FIRST = 0;

export function SubjectForm({ subject }: { readonly subject: XraySubject }) {
  const {
    course: { info, currentSnapshot },
  } = useRun();
  const { answers, choose, variables } = xrayOf(useRun());
  const basin = info.value?.basin;
  if (!basin) return null;
  const place = answers.value?.place;
  const count = currentSnapshot.value?.observations.x.length ?? 0;
  const cell = place?.cell ?? { x: Math.floor(basin.nx / 2), y: Math.floor(basin.ny / 2) };
  const variable = place?.variable ?? variables.value[0];
  return (
    <form class="pin-form xray-subject" aria-label="What the X-ray is of" onSubmit={(event) => event.preventDefault()}>
      <select
        class="figure-choice"
        aria-label="X-ray of"
        value={subject.kind}
        onChange={({ currentTarget: { value } }) => {
          if (value === 'observation') choose({ kind: 'observation', index: FIRST });
          else choose({ kind: 'point', ...cell, variable });
        }}
      >
        <option value="point">{basin.isRing ? 'Place' : 'Point'}</option>
        <option value="observation" disabled={count === 0}>
          Observation
        </option>
      </select>
      {subject.kind === 'point' ? (
        <>
          <WholeNumber
            label={basin.isRing ? 'number' : 'i'}
            value={subject.x}
            most={basin.nx - 1}
            onChange={(x) => choose({ ...subject, x })}
          />
          {!basin.isRing && (
            <WholeNumber label="j" value={subject.y} most={basin.ny - 1} onChange={(y) => choose({ ...subject, y })} />
          )}
          {variables.value.length > 1 && (
            <label>
              of
              <select
                class="figure-choice"
                aria-label="Variable at the point"
                value={subject.variable}
                onChange={({ currentTarget: { value } }) => choose({ ...subject, variable: value })}
              >
                {variables.value.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
        </>
      ) : (
        <WholeNumber
          label="number"
          value={subject.index}
          most={Math.max(0, count - 1)}
          onChange={(index) => choose({ kind: 'observation', index })}
        />
      )}
      {place && !(basin.isRing && subject.kind === 'point') && (
        <span class="label number">{placeText(basin, place.at)}</span>
      )}
    </form>
  );
}
