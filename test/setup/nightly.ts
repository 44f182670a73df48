/**
 * The test files that `npm run nightly` runs and `npm test` does not, by project: they take long, and shorter
 * tests cover most of what they prove. With SHOAL_TESTS=nightly Vitest runs these files and no others.
 */
const NIGHTLY = {
  units: [
    'test/unit/benchmarks/native.test.ts',
    'test/unit/cli/bench-stage.test.ts',
    'test/unit/experiment/cycles-in-flight.test.ts',
    'test/unit/guard/damaged-fields.test.ts',
    'test/unit/operators/variants.test.ts',
    'test/unit/output/simulated-disk.test.ts',
    'test/unit/papers/separable-convolution/pass.test.ts',
    'test/verification/assimilation/automatic-steps.test.ts',
    'test/verification/assimilation/correlated-errors-variational.test.ts',
    'test/verification/assimilation/impact-denial.test.ts',
    'test/verification/assimilation/painted-gauges.test.ts',
    'test/verification/lorenz-96/adaptive-inflation.test.ts',
    'test/verification/lorenz-96/nightly-rows.test.ts',
    'test/verification/shallow-water/webgpu.test.ts',
    'test/verification/twin-experiments/water-drops.test.ts',
  ],
  'lone units': ['test/unit/experiment/memory-estimate.test.ts'],
  commands: [
    'test/e2e/bench.test.ts',
    'test/e2e/bundle.test.ts',
    'test/e2e/library.test.ts',
    'test/e2e/netcdf.test.ts',
    'test/e2e/packed-install.test.ts',
    'test/e2e/run-folder.test.ts',
    'test/e2e/seeds.test.ts',
    'test/e2e/sweep.test.ts',
    'test/e2e/tune.test.ts',
    'test/e2e/world.test.ts',
  ],
  browsers: ['test/browsers/server.test.ts'],
  electron: ['test/electron/package.test.ts', 'test/electron/recovery.test.ts', 'test/electron/webgpu.test.ts'],
  journeys: [
    'test/e2e/desktop/benchmarks.test.ts',
    'test/e2e/desktop/check.test.ts',
    'test/e2e/desktop/consistency.test.ts',
    'test/e2e/desktop/coverage.test.ts',
    'test/e2e/desktop/demonstration.test.ts',
    'test/e2e/desktop/development.test.ts',
    'test/e2e/desktop/device.test.ts',
    'test/e2e/desktop/evidence.test.ts',
    'test/e2e/desktop/export.test.ts',
    'test/e2e/desktop/film.test.ts',
    'test/e2e/desktop/fork.test.ts',
    'test/e2e/desktop/inside.test.ts',
    'test/e2e/desktop/lessons.test.ts',
    'test/e2e/desktop/lorenz.test.ts',
    'test/e2e/desktop/own-windows.test.ts',
    'test/e2e/desktop/papers.test.ts',
    'test/e2e/desktop/playback.test.ts',
    'test/e2e/desktop/runs.test.ts',
    'test/e2e/desktop/site.test.ts',
    'test/e2e/desktop/stage.test.ts',
    'test/e2e/desktop/sweeps.test.ts',
    'test/e2e/desktop/tuning.test.ts',
    'test/e2e/desktop/world.test.ts',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Those of which `npm test` runs a part, and `npm run nightly` everything. */
const BOTH: Partial<Record<keyof typeof NIGHTLY, readonly string[]>> = {
  units: [
    'test/unit/benchmarks/compare.test.ts',
    'test/unit/compute/wasm/thread-pool.test.ts',
    'test/unit/document/scenario/run-document.test.ts',
    'test/unit/experiment/{drifters,driving,hybrid-apart,observation-times,resumed-consistency}.test.ts',
    'test/unit/experiment/{thin-water,truth-model}.test.ts',
    'test/unit/impact/observation-impact.test.ts',
    'test/unit/operators/letkf/{correlated,point-inflation,sizes}.test.ts',
    'test/unit/operators/recursive-filter.test.ts',
    'test/unit/output/trace-file.test.ts',
    'test/unit/papers/separable-convolution/surface.test.ts',
    'test/unit/scenario/fuzz.test.ts',
    'test/verification/assimilation/{backend-agreement,control-transform-composition,enks,ienks,reproducibility}.test.ts',
    'test/verification/lorenz-96/lorenz-96.test.ts',
    'test/verification/shallow-water/shallow-water.test.ts',
    'test/verification/twin-experiments/shipped-scenarios.test.ts',
  ],
  'lone units': ['test/unit/run/ceiling-measurement.test.ts'],
  commands: ['test/e2e/explain.test.ts'],
  browsers: ['test/browsers/site.test.ts'],
  electron: ['test/electron/window.test.ts'],
  journeys: [
    'test/e2e/desktop/files.test.ts',
    'test/e2e/desktop/keyboard.test.ts',
    'test/e2e/desktop/presenting.test.ts',
    'test/e2e/desktop/settings.test.ts',
    'test/e2e/desktop/transport.test.ts',
    'test/e2e/desktop/window.test.ts',
    'test/e2e/desktop/xray.test.ts',
  ],
};

export const isNightly = process.env['SHOAL_TESTS'] === 'nightly';

/**
 * @param project whose files are asked for
 * @param include its globs
 * @param exclude files that belong to other projects
 * @returns the files of this run
 */
export function filesOf(project: keyof typeof NIGHTLY, include: readonly string[], exclude: readonly string[] = []) {
  const nightly = NIGHTLY[project];
  return isNightly
    ? { include: [...nightly, ...(BOTH[project] ?? [])], exclude: [...exclude] }
    : { include: [...include], exclude: [...exclude, ...nightly] };
}

/** Projects without nightly files have nothing to run then. */
export const ONLY_DAILY: readonly string[] = isNightly ? ['**'] : [];
