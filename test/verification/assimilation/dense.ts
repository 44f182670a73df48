/** Dense linear algebra for problems small enough to be written out: what the methods are held against. */
export * from '../../../engine/check/assimilation/dense.ts';
