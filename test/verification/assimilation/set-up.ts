/** What the assimilation tests share with `shoal check`: small states, observations of them, and one analysis by a real method. */
export * from '../../../engine/check/assimilation/set-up.ts';
