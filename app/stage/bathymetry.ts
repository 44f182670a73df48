/** What contains the water: bed and land, the earth under them, and the basin's thin walls. */
import { BackSide, BoxGeometry, BufferAttribute, BufferGeometry, LineSegments, Mesh, NodeMaterial } from 'three/webgpu';
import type { Node } from 'three/webgpu';
import {
  Discard,
  Fn,
  cameraPosition,
  positionWorld,
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
import { shaded, shadeOf, type LookNodes } from './water-look.ts';

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

/** Lowest and highest point of the basin's box. */
export interface BoxHeights {
  readonly floor: number;
  readonly top: number;
}

/** @returns where the box ends, from the drawn height of the deepest bed and of the highest crest */
export function boxHeights(deepest: number, highest: number): BoxHeights {
  return { floor: deepest - EARTH, top: highest };
}

/** Edges of the walls; an edge is drawn where its wall looks away from the viewer, so that none crosses the water. */
function frameLines(x: number, z: number): { readonly points: Float32Array; readonly outward: Float32Array } {
  const points: number[] = [];
  const outward: number[] = [];
  const add = (from: readonly number[], to: readonly number[], normal: readonly number[]): void => {
    points.push(...from, ...to);
    outward.push(...normal, ...normal);
  };
  const sides = [
    { a: [-x, -z], b: [x, -z], normal: [0, 0, -1] },
    { a: [x, -z], b: [x, z], normal: [1, 0, 0] },
    { a: [x, z], b: [-x, z], normal: [0, 0, 1] },
    { a: [-x, z], b: [-x, -z], normal: [-1, 0, 0] },
  ] as const;
  for (const { a, b, normal } of sides) {
    for (const y of [-0.5, 0.5]) add([a[0], y, a[1]], [b[0], y, b[1]], normal);
    for (const end of [a, b]) add([end[0], -0.5, end[1]], [end[0], 0.5, end[1]], normal);
  }
  return { points: new Float32Array(points), outward: new Float32Array(outward) };
}

/** Materials of the walls' inner faces, and of their rim. */
export interface WallMaterials {
  readonly wall: NodeMaterial;
  readonly rim: NodeMaterial;
}

export function createWallMaterials(wall: Colour, rim: Colour, look: LookNodes): WallMaterials {
  const wallMaterial = new NodeMaterial();
  wallMaterial.name = 'stage.wall';
  wallMaterial.side = BackSide;
  wallMaterial.fragmentNode = Fn(() => {
    const inward = vec3(normalWorldGeometry).negate();
    return vec4(wall.mul(dot(inward, look.uniforms.key).mul(0.16).add(0.93)), 1);
  })();
  const rimMaterial = new NodeMaterial();
  rimMaterial.name = 'stage.rim';
  const facing = varyingProperty('float', 'rimFacing');
  rimMaterial.positionNode = Fn(() => {
    facing.assign(dot(attribute('outward', 'vec3'), cameraPosition.sub(positionWorld)));
    return positionGeometry;
  })();
  rimMaterial.fragmentNode = Fn(() => {
    Discard(facing.greaterThan(0));
    return vec4(rim, 1);
  })();
  return { wall: wallMaterial, rim: rimMaterial };
}

/** The inner faces of the walls away from the viewer, and the rim: those towards the viewer are left open. */
export function createWalls(extent: BasinExtent, { wall, rim }: WallMaterials) {
  const box = new BoxGeometry(2 * extent.x + WALL, 1, 2 * extent.z + WALL);
  const walls = new Mesh(box, wall);
  const { points, outward } = frameLines(extent.x + WALL / 2, extent.z + WALL / 2);
  const lines = new BufferGeometry();
  lines.setAttribute('position', new BufferAttribute(points, 3));
  lines.setAttribute('outward', new BufferAttribute(outward, 3));
  const frame = new LineSegments(lines, rim);
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
    },
  };
}
