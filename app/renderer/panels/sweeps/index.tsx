/**
 * Results of sweeps: one scenario over values of its settings and over seeds, as heat maps and lines. They are read from the
 * `sweep.json` that `shoal sweep` leaves in its folder, or are the scans behind the scenarios that ship.
 */
import { useRef } from 'preact/hooks';
import { Dialog } from '../../layout/dialog.tsx';
import { Icon } from '../../layout/icons.tsx';
import { MOST_SWEEP_BYTES } from '../../reading/read-sweep.ts';
import { useLaboratory } from '../../state/context.ts';
import type { SweepTable } from '../../sweeps/table.ts';
import { counted } from '../../sweeps/words.ts';
import { SweepContent } from './content.tsx';
import { SweepStart } from './start.tsx';
import './sweeps.css';

export function SweepsPage() {
  const {
    overlays: { closeOverlay },
    sweeps: { table, reading, failure, open, close },
  } = useLaboratory();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined): Promise<void> => {
    // One byte more than is allowed shows that there are more.
    if (file)
      await open({ name: file.name, bytes: new Uint8Array(await file.slice(0, MOST_SWEEP_BYTES + 1).arrayBuffer()) });
  };
  const shown = table.value;
  return (
    <Dialog label="Sweeps" class="sweeps" onClose={closeOverlay}>
      <div
        class="sweep-drop"
        onDragOver={(event) => {
          if (event.dataTransfer?.types.includes('Files') !== true) return;
          event.preventDefault();
          event.stopPropagation();
          event.dataTransfer.dropEffect = 'copy';
        }}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void read(event.dataTransfer?.files[0]);
        }}
      >
        <div class="sweep-head">
          <h2>Sweeps</h2>
          <p class="label sweep-source">{shown && sourceWords(shown)}</p>
          {shown && (
            <button type="button" class="button" onClick={close}>
              Scans that ship…
            </button>
          )}
          <button type="button" class="button" onClick={() => input.current?.click()}>
            <Icon name="open" /> Open sweep.json…
          </button>
          <input
            ref={input}
            type="file"
            accept=".json,application/json"
            hidden
            aria-label="The sweep.json of a sweep's folder"
            onChange={({ currentTarget }) => {
              void read(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
          <button type="button" class="icon-button" aria-label="Close" onClick={closeOverlay}>
            <Icon name="close" />
          </button>
        </div>
        {reading.value !== undefined && (
          <p class="sweep-message" role="status">
            Reading {reading.value}
          </p>
        )}
        {failure.value !== undefined && (
          <p class="sweep-message error" role="alert">
            {failure.value}
          </p>
        )}
        {shown ? <SweepContent table={shown} /> : <SweepStart />}
      </div>
    </Dialog>
  );
}

/** `sweep.json · 48 cases, 5 seeds · wasm, WebAssembly SIMD`. */
function sourceWords({ source, rows, seeds, backend, kind }: SweepTable): string {
  const what = kind === 'medians' ? 'setting' : 'case';
  return [source, `${counted(rows, what)}, ${counted(seeds.length, 'seed')}`, backend].filter(Boolean).join(' · ');
}
