/** The twin experiments of the tests are those of `shoal check`. */
export * from '../../../engine/check/assimilation/twin.ts';
