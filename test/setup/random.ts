/** The numbers that tests draw are those of `shoal check`. */
export { between, noise, normals, stream as testStream } from '../../engine/check/draws.ts';
