/**
 * What a method that is added starts with: settings that suit the scenario, in place of the schema's defaults, which know
 * neither its basin nor its network. They are a start for tuning and not the best ones.
 *
 * Length scales follow the distance s between neighbouring observations, s = √(area / observations of one analysis). Tuned
 * LETKFs of the shipped scenarios lie at half-widths from 1.0 s to 1.6 s, 3D-Vars at lengths from 0.7 s to 1.5 s. Both stay
 * above a few cells, which the grid must resolve, and below a quarter of the basin, beyond which nothing is local.
 */
import { networkCapacity } from '../../../../engine/index.ts';
import type { Scenario } from '../../../../engine/index.ts';

/** Of the distance between observations. */
const HALF_WIDTH = 1.25;
const LENGTH = 1;
/** Cells that a length must span, and the share of the basin's shorter side that it may. */
const LEAST_CELLS = { halfWidth: 3, length: 1.5 } as const;
const MOST_OF_BASIN = 0.25;
/** Of the forecast's covariance, where no other ensemble of the scenario tells better. */
const INFLATION = 1.08;
const INFLATION_RANGE = [1.05, 1.3] as const;
/** Standard deviation of the background error in those of the observations, where nothing else tells. */
const DEVIATION = 2.5;

type Method = Scenario['methods'][number];
type Ensemble = Extract<Method, { readonly kind: 'letkf' | 'enkf' }>;
type Variational = Extract<Method, { readonly kind: '3dvar' }>;
type Settings = Readonly<Record<string, unknown>>;

function isEnsemble(method: Method): method is Ensemble {
  return method.kind === 'letkf' || method.kind === 'enkf';
}

function isVariational(method: Method): method is Variational {
  return method.kind === '3dvar';
}

/** Two digits: more would look like a measurement. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}

/** @returns metres between neighbouring observations of one analysis, on average; undefined where a file tells or there are none */
export function observationSpacing({
  grid,
  observations,
}: Pick<Scenario, 'grid' | 'observations'>): number | undefined {
  const counts = observations.map(({ network }) => networkCapacity(network, grid) ?? 0);
  // Networks at the same places (u beside v) lie no closer for being two.
  const most = Math.max(0, ...counts);
  return most > 0 ? Math.sqrt((grid.nx * grid.dx * grid.ny * grid.dy) / most) : undefined;
}

/** @returns a length in metres for a distance between observations, within what grid and basin allow */
function lengthFor(scenario: Scenario, factor: number, leastCells: number): number {
  const { nx, ny, dx, dy } = scenario.grid;
  const least = leastCells * Math.max(dx, dy);
  const most = MOST_OF_BASIN * Math.min(nx * dx, ny * dy);
  const spacing = observationSpacing(scenario) ?? most;
  return rounded(Math.max(least, Math.min(most, factor * spacing)));
}

function newEnsemble(scenario: Scenario): Settings {
  const other = scenario.methods.find(isEnsemble);
  if (other === undefined) {
    return {
      localisation: { halfWidth: lengthFor(scenario, HALF_WIDTH, LEAST_CELLS.halfWidth) },
      inflation: INFLATION,
    };
  }
  const { localisation, inflation, relaxation } = other;
  // Relaxation gives back the spread in its own way; then the inflation is left as it is.
  if (relaxation.kind !== 'none') return { localisation, inflation, relaxation };
  const [least, most] = INFLATION_RANGE;
  return { localisation, inflation: Math.max(least, Math.min(most, inflation)) };
}

/** Standard deviations of the background error: of its perturbations where it has some, else from the observations' errors. */
function deviations({ background, observations, model }: Scenario): Settings {
  const { standardDeviation: perturbed, balance } = background.perturbation;
  if (perturbed > 0) return { standardDeviation: { h: perturbed }, balance };
  const errorOf = (...names: readonly string[]): number | undefined => {
    const errors = observations.filter(({ variable }) => names.includes(variable));
    return errors.length > 0 ? Math.min(...errors.map((each) => each.errorStandardDeviation)) : undefined;
  };
  const depth = model.bathymetry.kind === 'file' ? 1 : model.bathymetry.depth;
  const momentum = (name: string, current: string): number => {
    const error = errorOf(name) ?? (errorOf(current, 'speed') ?? 0) * depth;
    return rounded(DEVIATION * error);
  };
  const found = {
    h: rounded(DEVIATION * (errorOf('h', 'eta') ?? 0)),
    hu: momentum('hu', 'u'),
    hv: momentum('hv', 'v'),
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value > 0));
  return Object.keys(known).length > 0 ? { standardDeviation: known } : {};
}

function newVariational(scenario: Scenario): Settings {
  const other = scenario.methods.find(isVariational);
  if (other !== undefined) return { covariance: structuredClone(other.covariance) };
  const length = lengthFor(scenario, LENGTH, LEAST_CELLS.length);
  return { covariance: { kind: 'recursive-filter', length, ...deviations(scenario) } };
}

/**
 * @param scenario as it runs, with every default; undefined while there is none that is valid
 * @returns a method as the file writes it, without a label
 */
export function newMethod(kind: string, scenario: Scenario | undefined): Settings {
  if (scenario === undefined) return { kind };
  switch (kind) {
    case 'letkf':
    case 'enkf':
      return { kind, ...newEnsemble(scenario) };
    case '3dvar':
      return { kind, ...newVariational(scenario) };
    default:
      return { kind };
  }
}
