import { describe, expect, test } from 'vitest';
import { alignedBinding, copyRoute } from '../../../../app/renderer/stage/plane-copy.ts';

test.each([
  [64, 'copy'],
  [128, 'copy'],
  [1024, 'copy'],
  [1, 'compute'],
  [63, 'compute'],
  [100, 'compute'],
  [500, 'compute'],
] as const)('rows of %s numbers go by %s', (nx, route) => {
  expect(copyRoute(nx)).toBe(route);
});

describe('binding a plane inside a buffer', () => {
  test('an aligned plane is bound alone', () => {
    expect(alignedBinding(512, 10, 256)).toEqual({ offset: 512, size: 40, skip: 0 });
  });

  test('another is bound from the boundary before it, and skipped to', () => {
    expect(alignedBinding(600, 10, 256)).toEqual({ offset: 512, size: 128, skip: 22 });
  });
});
