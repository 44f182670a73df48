/**
 * Results of sweeps: one scenario over values of its settings and over seeds, as heat maps and lines. They are read from the
 * `sweep.json` that `shoal sweep` leaves in its folder, or are the scans behind the scenarios that ship.
 */
import { beginningOf, JsonFileButton, Page } from '../../../controls/page.tsx';
import { MOST_SWEEP_BYTES } from '../../reading/read-sweep.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { counted } from '../words.ts';
import { SweepContent } from './content.tsx';
import { SweepStart } from './start.tsx';
import './sweeps.css';
import { sweepsOf } from '../sweeps-state.ts';

export function SweepsPage() {
  const {
    overlays: { closeOverlay },
  } = useLaboratory();
  const { table, reading, failure, open, close } = sweepsOf(useLaboratory());
  const read = (file: File): void => {
    void open({ name: file.name, bytes: beginningOf(file, MOST_SWEEP_BYTES) });
  };
  const shown = table.value;
  return (
    <Page
      title="Sweeps"
      class="sweeps"
      source={shown && sourceWords(shown)}
      actions={
        <>
          {shown && (
            <button type="button" class="button" onClick={close}>
              Scans that ship…
            </button>
          )}
          <JsonFileButton label="The sweep.json of a sweep's folder" onFile={read}>
            Open sweep.json…
          </JsonFileButton>
        </>
      }
      onFile={read}
      onClose={closeOverlay}
    >
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
    </Page>
  );
}

/** `sweep.json · 48 cases, 5 seeds · wasm, WebAssembly SIMD`. */
function sourceWords({ source, rows, seeds, backend, kind }: SweepTable): string {
  const what = kind === 'medians' ? 'setting' : 'case';
  return [source, `${counted(rows, what)}, ${counted(seeds.length, 'seed')}`, backend].filter(Boolean).join(' · ');
}
