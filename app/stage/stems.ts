/**
 * Observations as stems on the surface, their heads coloured by the innovation: brown where the observation is
 * above the forecast, blue where below, the neutral colour if there is nothing to compare with.
 */
import { BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, NodeMaterial } from 'three/webgpu';
import type { Node } from 'three/webgpu';
import {
  Fn,
  attribute,
  cameraWorldMatrix,
  clamp,
  dot,
  float,
  ivec2,
  max,
  mix,
  positionGeometry,
  select,
  smoothstep,
  sqrt,
  uniform,
  varyingProperty,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import { selectInPlace, type BasinInfo, type SnapshotObservations } from '../../engine/index.ts';
import { edgeIndex } from '../document/views/field-values.ts';
import type { FieldNodes } from './field-nodes.ts';
import { scenePlaces } from './grid-geometry.ts';
import { colourMapRow, type LookNodes } from './water-look.ts';

/** More stems would be a lawn that hides the water; of more, an even choice is drawn. */
export const MAXIMUM_STEMS = 1024;

/** What the stems of a view show; numbers in the order of the drawn observations. */
export interface StemData {
  readonly count: number;
  /** Number of the observation in its cycle. */
  readonly observation: readonly number[];
  /** Scene x and z, two each. */
  readonly place: Float32Array;
  /** Cell (i, j), two each. */
  readonly cell: Float32Array;
  /** Innovation on the scale of `innovationScale`, −1 … 1. */
  readonly tint: Float32Array;
  /** How prominent it is, 0 … 1. */
  readonly weight: Float32Array;
}

/** @returns the innovation's size at which a head's colour is full: the 95th percentile of all methods' */
export function innovationScale(observations: SnapshotObservations): number {
  const all = Object.values(observations.innovations);
  const sizes = new Float64Array(all.reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const innovations of all) {
    for (const [k, innovation] of innovations.entries()) {
      if ((observations.inverseErrorStd[k] ?? 0) > 0 && innovation !== 0) sizes[count++] = Math.abs(innovation);
    }
  }
  return count === 0 ? 0 : selectInPlace(sizes.subarray(0, count), Math.floor(0.95 * (count - 1)));
}

/**
 * If there are more than MAXIMUM_STEMS, one in every square of a grid laid over the basin: the one nearest to the square's middle, so
 * that a regular network stays regular; prominent ones before the others.
 *
 * @returns which of the observations are drawn, in their order
 */
function choose(
  { x, y, inverseErrorStd }: SnapshotObservations,
  { nx, ny }: BasinInfo,
  weights: Float64Array | undefined,
): readonly number[] {
  const present: number[] = [];
  for (const [k, weight] of inverseErrorStd.entries()) if (weight > 0) present.push(k);
  if (present.length <= MAXIMUM_STEMS) return present;
  const side = Math.sqrt((nx * ny) / MAXIMUM_STEMS);
  const columns = Math.max(1, Math.floor(nx / side));
  const rows = Math.max(1, Math.floor(MAXIMUM_STEMS / columns));
  const nearest = new Map<number, { readonly k: number; readonly distance: number }>();
  for (const k of present) {
    const across = (((x[k] ?? 0) + 0.5) / nx) * columns;
    const along = (((y[k] ?? 0) + 0.5) / ny) * rows;
    const [column, row] = [Math.floor(across), Math.floor(along)];
    // Further than the middle is from any corner: a prominent stem precedes all others.
    const stepsBack = weights?.[k] === 0 ? 1 : 0;
    const distance = Math.hypot(across - column - 0.5, along - row - 0.5) + stepsBack;
    const square = row * columns + column;
    const found = nearest.get(square);
    if (!found || distance < found.distance) nearest.set(square, { k, distance });
  }
  return [...nearest.values()].map(({ k }) => k).sort((a, b) => a - b);
}

const choices = new WeakMap<SnapshotObservations, readonly number[]>();

/** @returns the same, found once if no observation is weighted: all views of a cycle have the same stems */
function chosen(observations: SnapshotObservations, basin: BasinInfo, weights: Float64Array | undefined) {
  if (weights) return choose(observations, basin, weights);
  const known = choices.get(observations) ?? choose(observations, basin, undefined);
  choices.set(observations, known);
  return known;
}

/**
 * @param innovations of the view's method, or what its heads show in place of them; undefined for the truth
 * @param weights how prominent each observation is, 0 … 1; all of them if omitted, or if their number is that of another cycle
 */
export function stemData(
  observations: SnapshotObservations,
  basin: BasinInfo,
  innovations: Float64Array | undefined,
  scale: number,
  weights?: Float64Array,
): StemData {
  const given = weights?.length === observations.x.length ? weights : undefined;
  const drawn = chosen(observations, basin, given);
  const data = {
    count: drawn.length,
    observation: drawn,
    place: new Float32Array(2 * drawn.length),
    cell: new Float32Array(2 * drawn.length),
    tint: new Float32Array(drawn.length),
    weight: Float32Array.from(drawn, (k) => given?.[k] ?? 1),
  };
  const placeOf = scenePlaces(basin);
  for (const [n, k] of drawn.entries()) {
    const [x, y] = [observations.x[k] ?? 0, observations.y[k] ?? 0];
    const place = placeOf(x, y);
    data.place[2 * n] = place.x;
    data.place[2 * n + 1] = place.z;
    data.cell[2 * n] = edgeIndex(Math.round(x), basin.nx, basin.periodicX);
    data.cell[2 * n + 1] = edgeIndex(Math.round(y), basin.ny, basin.periodicY);
    data.tint[n] = scale > 0 ? (innovations?.[k] ?? 0) / scale : 0;
  }
  return data;
}

/** @returns radius of a head and height of a stem, in the scene's units: smaller if there are many */
export function stemSize(count: number): { readonly radius: number; readonly height: number } {
  const spacing = 2 / Math.sqrt(Math.max(1, count));
  const radius = Math.min(0.017, Math.max(0.0055, 0.11 * spacing));
  return { radius, height: Math.min(0.15, Math.max(4 * radius, 0.55 * spacing)) };
}

/** Size of a stem without weight against a prominent one. */
const STEPPED_BACK = 0.4;

/** Corners of a head; at its few pixels they make a circle. */
const HEAD_CORNERS = 14;

/**
 * One stem and its head as flat shapes that face the camera and are lit as the cylinder and the ball that they represent: some
 * twenty vertices instead of a thousand. `position` is, on the head, a point of the unit circle; on the stem, −1 … 1 across and
 * 0 … 1 up. Attribute `head` is 1 on the head.
 */
function stemShape(): { readonly position: Float32Array; readonly head: Float32Array; readonly index: number[] } {
  const position = [-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0];
  const index = [0, 1, 2, 0, 2, 3];
  const stemVertices = position.length / 3;
  for (let k = 0; k < HEAD_CORNERS; k++) {
    const angle = (2 * Math.PI * k) / HEAD_CORNERS;
    position.push(Math.cos(angle), Math.sin(angle), 0);
    if (k >= 2) index.push(stemVertices, stemVertices + k - 1, stemVertices + k);
  }
  const head = new Float32Array(position.length / 3).fill(1, stemVertices);
  return { position: new Float32Array(position), head, index };
}

export interface Stems {
  readonly mesh: Mesh;
  set(data: StemData): void;
  dispose(): void;
}

/** @returns a direction of the camera, in the scene */
function ofCamera(x: number, y: number, z: number): Node<'vec3'> {
  return cameraWorldMatrix.mul(vec4(x, y, z, 0)).xyz;
}

/** What differs from view to view: sizes, in the scene's units, and whether heads show innovations, 1, or none, 0. */
export function createStemUniforms() {
  return { radius: uniform(0.01), height: uniform(0.1), coloured: uniform(1) };
}

/** @param neutral colour of heads without an innovation, `stem` that of stems */
export function createStemMaterial(
  fields: FieldNodes,
  look: LookNodes,
  neutral: Node<'vec3'>,
  stem: Node<'vec3'>,
  { radius, height, coloured }: ReturnType<typeof createStemUniforms>,
): NodeMaterial {
  const cell = ivec2(attribute('stemCell', 'vec2'));
  const place = attribute('stemPlace', 'vec2');
  const tint = varyingProperty('float', 'headTint');
  const weight = varyingProperty('float', 'stemShare');
  const isHead = varyingProperty('float', 'headShare');
  const within = varyingProperty('vec2', 'headWithin');
  const [right, up, towards] = [ofCamera(1, 0, 0), ofCamera(0, 1, 0), ofCamera(0, 0, 1)];
  const material = new NodeMaterial();
  material.name = 'stage.stems';
  material.positionNode = Fn(() => {
    const head = attribute('head', 'float');
    const { x, y } = positionGeometry;
    tint.assign(attribute('stemTint', 'float'));
    weight.assign(attribute('stemWeight', 'float'));
    isHead.assign(head);
    // On the stem only the direction across it bends the light.
    within.assign(vec2(x, y.mul(head)));
    const foot = vec3(place.x, fields.surfaceHeight(cell), place.y);
    const size = mix(float(STEPPED_BACK), float(1), weight);
    const tall = height.mul(size);
    const ball = vec3(0, tall, 0).add(right.mul(x).add(up.mul(y)).mul(radius.mul(size)));
    const pole = vec3(0, y.mul(tall), 0).add(right.mul(x).mul(radius.mul(size).mul(0.16)));
    return foot.add(select(head.greaterThan(0.5), ball, pole));
  })();
  material.fragmentNode = Fn(() => {
    const row = float(colourMapRow('diverging'));
    const mapped = mix(neutral, look.tintAt(tint.mul(0.5).add(0.5), row).rgb, coloured);
    // Without weight it is of the stem's quiet colour all over.
    const colour = mix(stem, mapped, isHead.mul(weight.greaterThan(0).select(float(1), float(0))));
    const facing = sqrt(max(float(1).sub(dot(within, within)), float(0)));
    const normal = right.mul(within.x).add(up.mul(within.y)).add(towards.mul(facing));
    const light = clamp(dot(normal, look.uniforms.key), float(0), float(1)).mul(0.5).add(0.62);
    const rim = smoothstep(float(0.1), float(0.5), facing).oneMinus().mul(isHead);
    return vec4(mix(colour.mul(light), vec3(0.06, 0.08, 0.1), rim.mul(0.85)), 1);
  })();
  return material;
}

/** @returns the shapes of one view's stems, for a material of `createStemMaterial` */
export function createStems(material: NodeMaterial): Stems {
  const instances = {
    stemPlace: new InstancedBufferAttribute(new Float32Array(2 * MAXIMUM_STEMS), 2),
    stemCell: new InstancedBufferAttribute(new Float32Array(2 * MAXIMUM_STEMS), 2),
    stemTint: new InstancedBufferAttribute(new Float32Array(MAXIMUM_STEMS), 1),
    stemWeight: new InstancedBufferAttribute(new Float32Array(MAXIMUM_STEMS), 1),
  };
  const geometry = new InstancedBufferGeometry();
  const shape = stemShape();
  geometry.setAttribute('position', new BufferAttribute(shape.position, 3));
  geometry.setAttribute('head', new BufferAttribute(shape.head, 1));
  geometry.setIndex(shape.index);
  for (const [name, values] of Object.entries(instances)) geometry.setAttribute(name, values);
  geometry.instanceCount = 0;
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  const fill = (name: keyof typeof instances, values: Float32Array): void => {
    const target = instances[name];
    target.array.set(values);
    target.needsUpdate = true;
  };
  return {
    mesh,
    set(data) {
      fill('stemPlace', data.place);
      fill('stemCell', data.cell);
      fill('stemTint', data.tint);
      fill('stemWeight', data.weight);
      geometry.instanceCount = data.count;
    },
    dispose: () => geometry.dispose(),
  };
}
