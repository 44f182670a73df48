/** What can be said of an observing network before the run: how many observations it makes, and what is wrong with it. */
import { describeValue, extents, multipleOf, placeProblem, tidy } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { fileNameProblem } from './files.ts';
import { nameKey } from './name-key.ts';
import { MAXIMUM_POINTS } from './schema-observations.ts';
import type { Grid, Network, Scenario } from './schema.ts';

/** Cells offset, offset + stride, … below `cells`. */
function cellsAlong(cells: number, offset: number, stride: number): number {
  return Math.max(0, Math.ceil((cells - offset) / stride));
}

/** @returns how many observations a network makes in one analysis, at most; undefined where a file says */
export function networkCapacity(network: Network, grid: Grid): number | undefined {
  switch (network.kind) {
    case 'regular': {
      const { stride, offset } = network;
      return cellsAlong(grid.nx, offset[0], stride[0]) * cellsAlong(grid.ny, offset[1], stride[1]);
    }
    case 'random':
    case 'drifters':
      return network.count;
    case 'points':
      return network.points.length;
    case 'track':
      return (
        (Math.floor(network.length / network.spacing) + 1) * (2 * Math.floor(network.width / 2 / network.spacing) + 1)
      );
    case 'file':
      return undefined;
    default:
      return network satisfies never;
  }
}

/** @returns what is wrong with the observing networks */
export function observationProblems(scenario: Scenario): Problem[] {
  const problems: Problem[] = [];
  const names = new Map<string, number>();
  scenario.observations.forEach((observations, index) => {
    const path: Path = ['observations', index];
    const name = nameKey(observations.name);
    const first = names.get(name);
    if (first === undefined) names.set(name, index);
    else {
      const message = `found ${describeValue(observations.name)}, which is observations[${first}].name too; give each a name of its own`;
      problems.push({ path: [...path, 'name'], message });
    }
    problems.push(...networkProblems(observations.network, [...path, 'network'], scenario));
    problems.push(...timeProblems(scenario, index));
  });
  return problems;
}

function networkProblems(network: Network, path: Path, scenario: Scenario): Problem[] {
  const problems: Problem[] = [];
  const tell = (inside: Path, message: string | undefined): void => {
    if (message !== undefined) problems.push({ path: [...path, ...inside], message });
  };
  switch (network.kind) {
    case 'regular':
      for (const [axis, cells] of [scenario.grid.nx, scenario.grid.ny].entries()) {
        const offset = network.offset[axis];
        if (offset >= cells)
          tell(['offset', axis], `found ${offset}, allowed is a cell of the grid: from 0 to ${cells - 1}`);
      }
      break;
    case 'points':
      network.points.forEach((point, index) => tell(['points', index], placeProblem(point, scenario)));
      break;
    case 'track': {
      tell(['start'], placeProblem(network.start, scenario));
      const positions = networkCapacity(network, scenario.grid) ?? 0;
      if (positions > MAXIMUM_POINTS) {
        const remedy = 'use a wider spacing, or a smaller length or width';
        tell(
          ['spacing'],
          `found ${network.spacing} m, which makes ${positions} places in the swath, allowed are ${MAXIMUM_POINTS}; ${remedy}`,
        );
      }
      const [mostX, mostY] = extents(scenario);
      if (network.spacing > Math.hypot(mostX, mostY)) {
        tell(
          ['spacing'],
          `found ${network.spacing} m, allowed is at most the basin's diagonal, ${tidy(Math.hypot(mostX, mostY))} m`,
        );
      }
      break;
    }
    case 'file':
      tell(['file'], fileNameProblem(network.file, '.csv'));
      break;
    case 'random':
    case 'drifters':
      break;
    default:
      network satisfies never;
  }
  return problems;
}

function timeProblems(scenario: Scenario, index: number): Problem[] {
  const { times, every } = scenario.observations[index];
  const { cycles, window } = scenario.experiment;
  const problems: Problem[] = [];
  times.forEach((time, i) => {
    const path = ['observations', index, 'times', i];
    if (time > cycles * window * (1 + 1e-9)) {
      problems.push({ path, message: `found ${time} s, allowed is at most the run's end, ${tidy(cycles * window)} s` });
    } else if (!multipleOf(time, window)) {
      problems.push({ path, message: `found ${time} s, allowed are multiples of experiment.window, ${window} s` });
    } else if (i > 0 && time <= times[i - 1]) {
      problems.push({ path, message: `found ${time} s after ${times[i - 1]} s, allowed are times that rise` });
    }
  });
  if (times.length > 0 && every !== 1) {
    problems.push({
      path: ['observations', index, 'every'],
      message: `found ${every} beside times; leave one of them out`,
    });
  }
  return problems;
}
