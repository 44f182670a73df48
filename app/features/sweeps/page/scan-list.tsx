/** The scans behind a scenario's settings: each opens as a map. */
import type { Scenario } from '../../../../engine/index.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { kindTitle } from '../../../document/views/method-style.ts';
import { scansOf, scanTitle, type Scan } from '../scan-table.ts';
import './sweeps.css';
import { sweepsOf } from '../sweeps-state.ts';

interface ScanListProps {
  readonly scenario: Scenario;
}

function methodTitle({ methods }: Scenario, { method }: Scan): string {
  const kind = methods.find(({ label }) => label === method)?.kind;
  return method === kind ? kindTitle(kind) : method;
}

export function ScanButtons({ scenario }: ScanListProps) {
  const { overlays } = useLaboratory();
  const sweeps = sweepsOf(useLaboratory());
  return (
    <ul class="scan-list">
      {scansOf(scenario).map((scan) => (
        <li key={`${scan.method} ${scanTitle(scan)}`}>
          <button
            type="button"
            class="button"
            onClick={() => {
              sweeps.openScan(scenario, scan);
              overlays.openOverlay('sweeps');
            }}
          >
            {methodTitle(scenario, scan)}
            <span class="label">{scanTitle(scan)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** With its title, where a scenario has any. */
export function ScanList({ scenario }: ScanListProps) {
  if (scansOf(scenario).length === 0) return null;
  return (
    <section aria-label="How the settings were found">
      <p class="label">How the settings were found, as a map:</p>
      <ScanButtons scenario={scenario} />
    </section>
  );
}
