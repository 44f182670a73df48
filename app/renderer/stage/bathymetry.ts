/** What the water stands in: bed and land, the earth under them, and the basin's thin walls. */
import { BackSide, BoxGeometry, BufferAttribute, BufferGeometry, LineSegments, Mesh, NodeMaterial } from 'three/webgpu';
import type { Node } from 'three/webgpu';
import {
  Fn,
  attribute,
  dot,
  float,
  ivec2,
  mix,
  normalWorldGeometry,
  normalize,
  positionGeometry,
  smoothstep,
  uniform,
  varyingProperty,
  vec3,
  vec4,
} from 'three/tsl';
import type { FieldNodes } from './field-nodes.ts';
import type { BasinExtent } from './grid-geometry.ts';
import { shaded, shadeOf } from './water-material.ts';
import type { LookNodes } from './water-material.ts';

type Colour = Node<'vec3'>;

/** How far the earth reaches below the deepest bed, in the scene's units. */
const EARTH = 0.035;
/** Thickness of a wall, in the scene's units. */
const WALL = 0.012;

/** Bed below the water at rest, land above it, shaded by slope; over `surfaceGeometry`. */
export function createBedMaterial(fields: FieldNodes, look: LookNodes, bed: Colour, land: Colour): NodeMaterial {
  const cell = ivec2(attribute('cell', 'vec2'));
  const normal = varyingProperty('vec3', 'bedNormal');
  const elevation = varyingProperty('float', 'bedElevation');
  const material = new NodeMaterial();
  material.name = 'stage.bed';
  material.positionNode = Fn(() => {
    normal.assign(fields.normalOf(fields.bedHeight, cell));
    elevation.assign(fields.bedAt(cell));
    return vec3(positionGeometry.x, fields.bedHeight(cell), positionGeometry.z);
  })();
  material.fragmentNode = Fn(() => {
    const knee = fields.uniforms.scale.x;
    const shore = smoothstep(knee.mul(-0.2), knee.mul(0.2), elevation);
    const colour = mix(bed, land, shore);
    return vec4(shaded(colour, shadeOf(normalize(normal), look)), 1);
  })();
  return material;
}

/** The earth's cut sides under the bed, over `skirtGeometry`. `floor` is the height at which it ends. */
export function createEarthMaterial(fields: FieldNodes, look: LookNodes, earth: Colour) {
  const cell = ivec2(attribute('cell', 'vec2'));
  const rise = attribute('rise', 'float');
  const outward = attribute('outward', 'vec3');
  const light = varyingProperty('float', 'earthLight');
  const floor = uniform(0);
  const material = new NodeMaterial();
  material.name = 'stage.earth';
  material.positionNode = Fn(() => {
    light.assign(dot(outward, look.uniforms.key).mul(0.4).add(0.75));
    return vec3(positionGeometry.x, mix(float(floor), fields.bedHeight(cell), rise), positionGeometry.z);
  })();
  material.fragmentNode = Fn(() => vec4(earth.mul(light), 1))();
  return { material, floor };
}

/** Heights between which the basin's box stands. */
export interface BoxHeights {
  readonly floor: number;
  readonly top: number;
}

/** @returns where the box ends, from the drawn height of the deepest bed and of the highest crest */
export function boxHeights(deepest: number, highest: number): BoxHeights {
  return { floor: deepest - EARTH, top: highest };
}

/** The inner faces of the walls away from the viewer, and the rim: those towards the viewer are left open. */
export function createWalls(extent: BasinExtent, wall: Colour, rim: Colour, look: LookNodes) {
  const box = new BoxGeometry(2 * extent.x + WALL, 1, 2 * extent.z + WALL);
  const wallMaterial = new NodeMaterial();
  wallMaterial.name = 'stage.wall';
  wallMaterial.side = BackSide;
  wallMaterial.fragmentNode = Fn(() => {
    const inward = vec3(normalWorldGeometry).negate();
    return vec4(wall.mul(dot(inward, look.uniforms.key).mul(0.35).add(0.9)), 1);
  })();
  const walls = new Mesh(box, wallMaterial);

  const [x, z] = [extent.x + WALL / 2, extent.z + WALL / 2];
  const corners = [-x, -z, x, -z, x, z, -x, z];
  const points: number[] = [];
  for (let k = 0; k < 4; k++) {
    const [a, b] = [corners[2 * k], corners[2 * k + 1]];
    const [c, d] = [corners[(2 * k + 2) % 8], corners[(2 * k + 3) % 8]];
    for (const y of [-0.5, 0.5]) points.push(a, y, b, c, y, d);
    points.push(a, -0.5, b, a, 0.5, b);
  }
  const lines = new BufferGeometry();
  lines.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  const rimMaterial = new NodeMaterial();
  rimMaterial.name = 'stage.rim';
  rimMaterial.fragmentNode = Fn(() => vec4(rim, 1))();
  const frame = new LineSegments(lines, rimMaterial);
  return {
    objects: [walls, frame] as const,
    setHeights({ floor, top }: BoxHeights): void {
      for (const object of [walls, frame]) {
        object.scale.y = top - floor;
        object.position.y = (top + floor) / 2;
      }
    },
    dispose(): void {
      box.dispose();
      lines.dispose();
      wallMaterial.dispose();
      rimMaterial.dispose();
    },
  };
}
