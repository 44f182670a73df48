/** Which runs are the same: of one scenario, whatever it is called, with the same files, computed in the same place. */
import { cyclesOf, settingsText } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import type { KeptRun } from './kept-run.ts';

/** @returns the scenario without what would be changed after its last cycle */
export function asItHappens(scenario: Scenario): Scenario {
  const cycles = cyclesOf(scenario);
  const interventions = scenario.interventions.filter(({ cycle }) => cycle < cycles);
  return interventions.length < scenario.interventions.length ? { ...scenario, interventions } : scenario;
}

type Settings = Pick<KeptRun, 'scenario' | 'files' | 'backend' | 'methods'>;

/** Whether two files hold the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, index) => byte === b[index]));
}

function sameFiles(a: Settings['files'], b: Settings['files']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => b[name] && sameBytes(a[name], b[name]));
}

function labelsOf({ methods }: Settings): string {
  return methods.map(({ label }) => label).join('\n');
}

/** Whether they are of the same settings on the same kind of backend: then they differ by their seed at most. */
export function sameSettings(a: Settings, b: Settings): boolean {
  return (
    a.backend.name === b.backend.name &&
    labelsOf(a) === labelsOf(b) &&
    settingsText(asItHappens(a.scenario)) === settingsText(asItHappens(b.scenario)) &&
    sameFiles(a.files, b.files)
  );
}

/** Whether one repeats the other, bit for bit. */
export function sameRun(a: Settings & Pick<KeptRun, 'versions'>, b: Settings & Pick<KeptRun, 'versions'>): boolean {
  return (
    a.scenario.seed === b.scenario.seed &&
    a.backend.adapter === b.backend.adapter &&
    JSON.stringify(a.versions) === JSON.stringify(b.versions) &&
    sameSettings(a, b)
  );
}
