/** Where a ring's variables are zero: two thin circles under the edges of its ribbon, in the place of a basin's walls. */
import { BufferAttribute, BufferGeometry, LineSegments, NodeMaterial } from 'three/webgpu';
import { Fn, vec4 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import type { BoxHeights } from './bathymetry.ts';
import { INNER_RADIUS, OUTER_RADIUS, ringPlace } from './ring-geometry.ts';

/** Corners of the circles that represent zero: round at any size. */
const CIRCLE_CORNERS = 180;

/** @param rim colour of the circles */
export function createZeroMaterial(rim: Node<'vec3'>): NodeMaterial {
  const material = new NodeMaterial();
  material.name = 'stage.zero';
  material.fragmentNode = Fn(() => vec4(rim, 1))();
  return material;
}

/** @param material of `createZeroMaterial` */
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
