/**
 * In which order test files are begun: those that take longest first, so that no worker is left alone with one of them in the end.
 * Vitest knows by itself how long they took in the run before; a clean checkout has none.
 */
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** By how long they take, the longest first; the rest follows as Vitest has it, larger files before smaller ones. */
const LONGEST = [
  'browsers/site',
  'e2e/start',
  'shallow-water/shallow-water',
  'lorenz-96/lorenz-96',
  'twin-experiments/shipped-scenarios',
  'experiment/cycles-in-flight',
  'assimilation/backend-agreement',
  'assimilation/reproducibility',
  'document/two-runs',
  'output/simulated-disk',
  'run/run-on-gpu',
  'run/ahead',
  'output/trace-file',
  'experiment/memory-estimate',
  'desktop/lessons',
  'desktop/evidence',
  'desktop/window',
  'desktop/stage',
  'desktop/export',
  'desktop/development',
  'e2e/sweep',
  'e2e/run-folder',
  'e2e/world',
  'e2e/library',
  'e2e/run',
  'e2e/bench',
];

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place < 0 ? LONGEST.length : place;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // One project after the other, as they were.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => placeOf(a) - placeOf(b)),
    );
  }
}
