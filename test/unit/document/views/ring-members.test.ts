import { expect, test } from 'vitest';
import { memberSegments } from '../../../../app/stage/ring-lines.ts';
import { MOST_MEMBERS, membersOf } from '../../../../app/document/views/ring-member-data.ts';

const PLACES = 3;
/** Member m has m at its first place, and a tenth more at each that follows. */
const ensemble = (members: number): Float64Array =>
  Float64Array.from({ length: members * PLACES }, (_, k) => Math.floor(k / PLACES) + (k % PLACES) / 10);

test('members of a checkpoint are those of its ensembles, an even choice if there are many', () => {
  const arrays = {
    truth: ensemble(1),
    'method.3dvar': ensemble(1),
    'method.letkf': ensemble(4),
    'method.many': ensemble(48),
  };
  const found = membersOf({ cycle: 2, arrays, fingerprint: '' }, ['3dvar', 'letkf', 'many', 'diverged'], PLACES);
  expect([...found.keys()]).toEqual(['letkf', 'many']);
  expect(found.get('letkf')).toEqual(Float32Array.from(ensemble(4)));
  const many = found.get('many') ?? new Float32Array();
  expect(many).toHaveLength(MOST_MEMBERS * PLACES);
  expect([many[0], many[PLACES], many[2 * PLACES]]).toEqual([0, 2, 4]);
});

test('a member is a line round the ring that ends where it began, at the heights of its values', () => {
  const segments = memberSegments(Float32Array.of(1, 2, 3, 10, 20, 30), PLACES, (value) => value / 2);
  expect(segments).toHaveLength(2 * PLACES * 6);
  const end = (segment: number, which: 0 | 1): number[] => [
    ...segments.subarray(6 * segment + 3 * which, 6 * segment + 3 * which + 3),
  ];
  for (const member of [0, 1]) {
    for (let i = 0; i < PLACES; i++) {
      expect(end(PLACES * member + i, 1)).toEqual(end(PLACES * member + ((i + 1) % PLACES), 0));
      expect(Math.hypot(end(i, 0)[0], end(i, 0)[2])).toBeGreaterThan(1);
    }
  }
  expect([0, 1, 2, 3, 4, 5].map((segment) => end(segment, 0)[1])).toEqual([0.5, 1, 1.5, 5, 10, 15]);
});
