/** The twin experiment of the benchmark is that of `shoal check`. */
export * from '../../../engine/check/lorenz-96/twin-experiment.ts';
