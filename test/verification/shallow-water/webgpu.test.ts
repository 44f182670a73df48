/** The cases of the verification in which float32 matters, and a spot check of others, on WebGPU at grids for software. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { cases } from './cases.ts';
import { expectToPass } from './expect-to-pass.ts';

describe.each(backends.filter(({ name }) => name === 'webgpu'))('shallow-water verification, $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(cases.flatMap(({ name, brief }) => (brief ? [{ name, brief }] : [])))('$name', async ({ name, brief }) => {
    expect.hasAssertions();
    expectToPass(name, await brief(backend));
  });
});
