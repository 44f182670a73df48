/** What stands on the page of sweeps before one is opened: what a sweep is, how one is made, and the scans that ship. */
import { isRecord } from '../../../../engine/index.ts';
import { useLaboratory } from '../../state/context.ts';
import { BUNDLED_SCENARIOS, groupScenarios } from '../../state/bundled-scenarios.ts';
import { kindTitle } from '../../state/method-style.ts';
import { scansOf, scanTitle } from '../../sweeps/scan-table.ts';

export function SweepStart() {
  const names = BUNDLED_SCENARIOS.map(({ name }) => name);
  return (
    <div class="sweep-start">
      <div class="sweep-words">
        <p>
          A sweep runs one scenario over values of its settings, each with several seeds, since one seed and one setting
          decide nothing. Here it becomes a map: the median over the seeds with its interval, where runs diverged, which
          cell is best and which are not told apart from it.
        </p>
        <p>
          <code>npm run shoal -- sweep my-sweep.json --out my-sweep</code> makes one. Open the <code>sweep.json</code>{' '}
          that it leaves in its folder, or drop it here.
        </p>
      </div>
      <section aria-label="Scans of the shipped scenarios">
        <h3>Scans of the shipped scenarios</h3>
        <p class="label">
          How the settings of their methods were found. Of a scan the medians over its seeds are kept.
        </p>
        <ul class="sweep-scans">
          {groupScenarios(names).flatMap(({ names: grouped }) =>
            grouped.map((name) => <ScansOfScenario key={name} name={name} />),
          )}
        </ul>
      </section>
    </div>
  );
}

function ScansOfScenario({ name }: { readonly name: string }) {
  const {
    catalogue: { bundledScenario },
    sweeps: { openScan },
  } = useLaboratory();
  const { scenario, raw } = bundledScenario(name);
  const scans = scansOf(scenario);
  if (scans.length === 0) return null;
  return (
    <li>
      <strong>{scenario.title || name}</strong>
      <ul>
        {scans.map((scan) => {
          const kind = scenario.methods.find(({ label }) => label === scan.method)?.kind ?? '';
          const method = scan.method === kind ? kindTitle(kind) : scan.method;
          return (
            <li key={`${scan.method} ${scanTitle(scan)}`}>
              <button
                type="button"
                class="button"
                onClick={() => openScan({ scenario, raw: isRecord(raw) ? raw : {} }, scan)}
              >
                {method}
                <span class="label">{scanTitle(scan)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </li>
  );
}
