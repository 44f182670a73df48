/** Defaults of lengths follow the grid: so many cells, whatever a cell is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cellsOf, scenarioJsonSchema, setPath, validateScenario } from '../../../engine/index.ts';
import { scenarioSchema, schemaAt } from '../../../engine/scenario/index.ts';

function scenarioOn(grid: Readonly<Record<string, number>>) {
  const raw = {
    version: 3,
    name: 'cells',
    grid: { nx: 64, ny: 64, ...grid },
    observations: [{ variable: 'h', network: { kind: 'track' }, errorCorrelation: {} }],
    methods: [
      { kind: 'free-run' },
      { kind: '3dvar' },
      { kind: 'letkf' },
      { kind: 'enkf' },
      { kind: 'hybrid', label: 'hybrid' },
    ],
  };
  return { ...validateScenario(raw, 'cells.json'), raw };
}

/** All lengths that a scenario leaves to their defaults. */
function lengthsOf({ scenario }: ReturnType<typeof scenarioOn>): readonly unknown[] {
  const { truth, background, observations, methods } = JSON.parse(JSON.stringify(scenario));
  return [
    truth.initial.width,
    background.perturbation.length,
    observations[0].network.length,
    observations[0].network.spacing,
    observations[0].errorCorrelation.length,
    methods[1].covariance.length,
    methods[2].localisation.halfWidth,
    methods[3].localisation.halfWidth,
    methods[4].covariance.length,
    methods[4].localisation.length,
    methods[4].ensemble.localisation.halfWidth,
  ];
}

const IN_CELLS = [10, 5, 40, 2, 10, 4, 4, 4, 4, 4, 4];

describe('lengths that a file does not give', () => {
  it.each([
    [{}, 1],
    [{ dx: 100, dy: 100 }, 100],
    [{ dx: 2000, dy: 1500 }, 1500],
    [{ dx: 0.25, dy: 0.25 }, 0.25],
  ])('are multiples of the cell: %j', (grid, size) => {
    expect(lengthsOf(scenarioOn(grid))).toEqual(IN_CELLS.map((cells) => cells * size));
  });

  it('do not follow the grid of what was read before, nor of what was refused', () => {
    scenarioOn({ dx: 100, dy: 100 });
    expect(() => scenarioOn({ dx: 100, dy: -1 })).toThrow('grid.dy');
    expect(lengthsOf(scenarioOn({}))).toEqual(IN_CELLS);
  });

  it('follow the grid when it is changed', () => {
    const { raw } = scenarioOn({ dx: 100, dy: 100 });
    const changed = validateScenario(setPath(setPath(raw, 'grid.dx', '50'), 'grid.dy', '50'), 'changed');
    expect(changed.scenario.methods[2]).toMatchObject({ localisation: { halfWidth: 200 } });
  });

  it('fit into a basin of few cells', () => {
    const { scenario } = scenarioOn({ nx: 6, ny: 8, dx: 100, dy: 100 });
    expect(scenario.truth.initial).toMatchObject({ kind: 'drops', width: 500 });
  });

  it('reach neighbours, so that nothing is warned of', () => {
    expect(
      scenarioOn({ dx: 100, dy: 100 })
        .warnings.map(({ message }) => message)
        .join(),
    ).not.toContain('reaches');
  });

  it('are what the form shows for the grid of the draft', () => {
    const { raw } = scenarioOn({ dx: 100, dy: 100 });
    const path = ['methods', 2, 'localisation', 'halfWidth'];
    expect(schemaAt(raw, path, scenarioJsonSchema(cellsOf(raw)))).toMatchObject({
      default: 400,
      description: expect.stringContaining('Default: 4 cells'),
    });
    expect(schemaAt(raw, path)?.default).toBe(4);
  });
});

/** A scenario without the lengths of perturbations that are not there. */
function withoutUnused(scenario: unknown): unknown {
  const text = JSON.stringify(scenario, (_, value: unknown) => {
    const isUnused = typeof value === 'object' && value !== null && Reflect.get(value, 'standardDeviation') === 0;
    return isUnused ? { ...value, length: undefined } : value;
  });
  return JSON.parse(text);
}

const SCENARIOS = join(import.meta.dirname, '../../../scenarios');
const SHIPPED = readdirSync(SCENARIOS).filter((name) => name.endsWith('.json') && name !== 'scenario.schema.json');

it.each(SHIPPED)(
  '%s means what it meant when defaults were in metres: it gives its lengths, or has cells of 1 m',
  (name) => {
    const { raw, scenario } = validateScenario(JSON.parse(readFileSync(join(SCENARIOS, name), 'utf8')), name);
    // Read by itself the schema takes a cell for 1 m.
    expect(withoutUnused(scenario)).toEqual(withoutUnused(scenarioSchema.parse(raw)));
  },
);
