/** The model of the truth where it is not that of the methods: its settings, its grid, and what is wrong with them. */
import { waterOf, type ModelSettings } from '../model-kinds/index.ts';
import { describeValue, type Path, type Problem } from '../settings/index.ts';
import { isRecord, type Scenario } from './schema.ts';
import { MAXIMUM_CELLS, AS_MODEL } from './schema-truth.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Cells of the truth's grid along each axis of a cell of the methods'. */
export function refinementOf({ truth }: Pick<Scenario, 'truth'>): number {
  return truth.model?.refinement ?? 1;
}

/** What the truth's model has of its own, each with its path. */
function ownSettings(own: Settings, path: Path = []): readonly { readonly path: Path; readonly value: unknown }[] {
  return Object.entries(own).flatMap(([key, value]) => {
    if (value === AS_MODEL || key === 'refinement') return [];
    return isRecord(value) ? ownSettings(value, [...path, key]) : [{ path: [...path, key], value }];
  });
}

function has(settings: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true;
  return isRecord(settings) && Object.hasOwn(settings, key) && has(settings[key], rest);
}

function withOwn(settings: Settings, [key, ...rest]: Path, value: unknown): Settings {
  const inside = settings[key];
  return { ...settings, [key]: rest.length > 0 && isRecord(inside) ? withOwn(inside, rest, value) : value };
}

/** @returns the settings of the truth's model */
function truthModelSettings({ model, truth }: Pick<Scenario, 'model' | 'truth'>): ModelSettings {
  const { refinement = 1, ...own } = truth.model ?? {};
  const { timeStep } = model;
  const refined: Settings =
    refinement === 1 || timeStep === 'auto' ? model : { ...model, timeStep: timeStep / refinement };
  return ownSettings(own).reduce<Settings>(
    (settings, { path, value }) => withOwn(settings, path, value),
    refined,
  ) as ModelSettings;
}

/** Whether the truth has another model, or another grid, than the methods. */
export function hasOwnModel({ model, truth }: Pick<Scenario, 'model' | 'truth'>): boolean {
  const isRefined = refinementOf({ truth }) > 1;
  return isRefined || JSON.stringify(truthModelSettings({ model, truth })) !== JSON.stringify(model);
}

/** @returns the scenario as the truth's model sees it: with its settings, on its grid */
export function asTruth(scenario: Scenario): Scenario {
  const { nx, ny, dx, dy } = scenario.grid;
  const factor = refinementOf(scenario);
  return {
    ...scenario,
    grid: { nx: nx * factor, ny: ny * factor, dx: dx / factor, dy: dy / factor },
    model: truthModelSettings(scenario),
  };
}

/** @returns what is wrong with the settings of the truth's model by themselves */
export function truthModelProblems({ model, truth, grid }: Scenario): Problem[] {
  const own = truth.model;
  if (own === undefined) return [];
  const kind = model.kind ?? 'shallow-water';
  const problems: Problem[] = ownSettings(own)
    .filter(({ path }) => !has(model, path))
    .map(({ path, value }) => ({
      path: ['truth', 'model', ...path],
      message: `found ${describeValue(value)}, allowed: ${describeValue(AS_MODEL)} with the model "${kind}", which has no such setting`,
    }));
  const { refinement } = own;
  const path: Path = ['truth', 'model', 'refinement'];
  if (refinement > 1 && waterOf(model) === undefined) {
    problems.push({ path, message: `found ${refinement}, allowed: 1 with the model "${kind}", which has no cells` });
  }
  const cells = Math.max(grid.nx, grid.ny);
  if (refinement * cells > MAXIMUM_CELLS) {
    const most = Math.max(1, Math.floor(MAXIMUM_CELLS / cells));
    const message = `found ${refinement}, which makes ${refinement * cells} cells along an axis, allowed: ${MAXIMUM_CELLS}: a refinement up to ${most}`;
    problems.push({ path, message });
  }
  return problems;
}
