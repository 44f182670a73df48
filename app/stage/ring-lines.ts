/** Lines round a ring: members of an ensemble beside the ribbon of their mean, on the same scale, and circles where x is zero. */
import { BufferAttribute, BufferGeometry, LineSegments, NodeMaterial, type Node } from 'three/webgpu';
import { Fn, vec4 } from 'three/tsl';
import { branchOf } from '../document/lines/shown.ts';
import { MOST_MEMBERS } from '../document/views/ring-member-data.ts';
import { OUTER_RADIUS, ringPlace, INNER_RADIUS } from './grid-geometry.ts';
import type { StageModel } from './stage-model.ts';
import type { ViewPlace } from './view-grid.ts';
import type { BoxHeights } from './bathymetry.ts';

/** Where they run: a little outside of the ribbon, whose edge is the mean. */
const RADIUS = 1.03 * OUTER_RADIUS;
const OPACITY = 0.4;

/** @returns members beside a mean at rest, which is that of the analysis; undefined if none are drawn */
export function membersIn(
  { field, subject }: ViewPlace,
  { members, phase, transit }: StageModel,
): Float32Array | undefined {
  return field === 'surface' && phase === 'analysis' && !transit ? members?.get(subject) : undefined;
}

/** @returns how many members are beside a mean, also while it moves and they are not drawn */
export function linesIn({ field, subject }: ViewPlace, { basin, subjects }: StageModel): number {
  // Those of a branch are not asked for.
  const members = branchOf(subject) === undefined ? (subjects.find(({ label }) => label === subject)?.members ?? 1) : 1;
  return basin.isRing && field === 'surface' && members > 1 ? Math.min(members, MOST_MEMBERS) : 0;
}

/** @param members [member][place] @returns both ends of a line from each place to the next, three coordinates each */
export function memberSegments(
  members: Float32Array,
  places: number,
  heightOf: (value: number) => number,
): Float32Array {
  const around = Array.from({ length: places }, (_, i) => ringPlace(i, places, RADIUS));
  const segments = new Float32Array(members.length * 6);
  for (let k = 0; k < members.length; k++) {
    const i = k % places;
    const next = (i + 1) % places;
    const [from, to] = [around[i], around[next]];
    segments.set([from.x, heightOf(members[k]), from.z, to.x, heightOf(members[k - i + next]), to.z], 6 * k);
  }
  return segments;
}

/** @param colour of the lines */
export function createMemberMaterial(colour: Node<'vec3'>): NodeMaterial {
  const material = new NodeMaterial();
  material.name = 'stage.members';
  material.transparent = true;
  material.fragmentNode = Fn(() => vec4(colour, OPACITY))();
  return material;
}

/** @param places round the ring @param material of `createMemberMaterial` */
export function createMemberLines(places: number, material: NodeMaterial) {
  const geometry = new BufferGeometry();
  const position = new BufferAttribute(new Float32Array(MOST_MEMBERS * places * 6), 3);
  geometry.setAttribute('position', position);
  const object = new LineSegments(geometry, material);
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    /** @param members at most MOST_MEMBERS; none are drawn if omitted */
    set(members: Float32Array | undefined, heightOf: (value: number) => number): void {
      object.visible = members !== undefined;
      if (!members) return;
      const segments = memberSegments(members, places, heightOf);
      position.array.set(segments);
      position.needsUpdate = true;
      geometry.setDrawRange(0, segments.length / 3);
    },
    dispose(): void {
      geometry.dispose();
    },
  };
}

/** Corners of the circles that represent zero: round at any size. */
const CIRCLE_CORNERS = 180;

/** @param rim colour of the circles */
export function createZeroMaterial(rim: Node<'vec3'>): NodeMaterial {
  const material = new NodeMaterial();
  material.name = 'stage.zero';
  material.fragmentNode = Fn(() => vec4(rim, 1))();
  return material;
}

/** Two thin circles under the edges of the ribbon, in the place of a basin's walls. @param material of `createZeroMaterial` */
export function createZeroCircles(material: NodeMaterial) {
  const geometries = [INNER_RADIUS, OUTER_RADIUS].map((radius) => {
    const position = Array.from({ length: CIRCLE_CORNERS }, (_, k) =>
      [k, k + 1].flatMap((corner) => {
        const { x, z } = ringPlace(corner, CIRCLE_CORNERS, radius);
        return [x, 0, z];
      }),
    ).flat();
    return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  });
  const objects = geometries.map((geometry) => new LineSegments(geometry, material));
  return {
    objects,
    setHeights: (_heights: BoxHeights): void => undefined,
    dispose(): void {
      for (const geometry of geometries) geometry.dispose();
    },
  };
}
