/** `shoal validate`: checks scenario files and the files beside them, without running. */
import { ScenarioError, branchTitle, describeProblem, fileWarningsOf, warningTexts } from '../../../engine/index.ts';
import type { OpenHdf5 } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, UsageError } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { loadScenario, readScenarioFiles, scenarioPath } from '../scenario-source.ts';

interface Verdict {
  readonly file: string;
  readonly valid: boolean;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** What its branches are called. */
  readonly branches: readonly string[];
  /** What is done to a file of an earlier version when it is read. */
  readonly notes: readonly string[];
}

/** @returns `; branches: more gauges, letkf: inflation 1.1 → 3` */
function branchesText({ branches }: Verdict): string {
  return branches.length === 0 ? '' : `; branches: ${branches.join('; ')}`;
}

/** @returns what is wrong with a file, or with a name that no scenario has. @throws what is neither */
function problemsOf(error: unknown): readonly string[] {
  if (error instanceof UsageError) return [error.message];
  if (error instanceof ScenarioError) return error.problems.map(describeProblem);
  throw error;
}

async function check(file: string, root: string, openHdf5: OpenHdf5): Promise<Verdict> {
  try {
    const path = await scenarioPath(root, file);
    const { scenario, warnings, notes } = await loadScenario(path);
    const found = await readScenarioFiles(scenario, path, openHdf5);
    const texts = warningTexts([...warnings, ...fileWarningsOf(scenario, found)]);
    const branches = scenario.branches.map((_, index) => branchTitle(scenario, index));
    return { file, valid: true, problems: [], warnings: texts, branches, notes };
  } catch (error) {
    return { file, valid: false, problems: problemsOf(error), warnings: [], branches: [], notes: [] };
  }
}

export default async function validate(
  { terminal, installation }: Context,
  files: readonly string[],
): Promise<ExitCode> {
  const openHdf5 = hdf5In(installation.bundleFolder);
  const verdicts: Verdict[] = [];
  for (const file of files) {
    const verdict = await check(file, installation.root, openHdf5);
    verdicts.push(verdict);
    for (const problem of verdict.problems) terminal.warn(`shoal: ${problem}`);
    if (verdict.valid) terminal.print(`${file}: valid${branchesText(verdict)}`);
    for (const note of verdict.notes) terminal.note(`${file}: ${note}`);
    for (const warning of verdict.warnings) terminal.note(`${file}: warning: ${warning}`);
  }
  terminal.printJson(verdicts);
  return verdicts.every(({ valid }) => valid) ? EXIT.done : EXIT.badInput;
}
