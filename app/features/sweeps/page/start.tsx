/** The page of sweeps before one is opened: what a sweep is, how one is made, and the scans that ship. */
import { useEffect, useState } from 'preact/hooks';
import { useLaboratory } from '../../../page/laboratory.ts';
import { BUNDLED_SCENARIOS, groupScenarios } from '../../../document/scenario/bundled-scenarios.ts';
import { scansOf } from '../scan-table.ts';
import { ScanButtons } from './scan-list.tsx';
import { catalogueOf } from '../../../document/scenario/bundled-scenarios.ts';

/** The scenarios in the order of the gallery. */
const ORDER = groupScenarios(BUNDLED_SCENARIOS.map(({ name }) => name)).flatMap(({ names }) => names);

/** @returns the first of them, and soon all: each scenario is parsed in a turn of the page of its own */
function useOneByOne(names: readonly string[]): readonly string[] {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= names.length) return undefined;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [count, names]);
  return names.slice(0, count);
}

export function SweepStart() {
  const names = useOneByOne(ORDER);
  return (
    <div class="sweep-start">
      <div class="sweep-words">
        <p>
          A sweep runs one scenario over values of its settings, each with several seeds, since one seed and one setting
          decide nothing. Here it becomes a map: the median over the seeds with its interval, where runs diverged, which
          cell is best and which are not significantly different from it.
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
          {names.map((name) => (
            <ScansOfScenario key={name} name={name} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function ScansOfScenario({ name }: { readonly name: string }) {
  const { bundledScenario } = catalogueOf(useLaboratory());
  const { scenario } = bundledScenario(name);
  if (scansOf(scenario).length === 0) return null;
  return (
    <li>
      <strong>{scenario.title || name}</strong>
      <ScanButtons scenario={scenario} />
    </li>
  );
}
