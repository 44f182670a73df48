/**
 * How water looks. Colour-mapped: the map's colour, gently shaded by the slope so that level water shows it unchanged.
 * Photoreal: absorption over the bed, Fresnel reflection of a plain sky, the sun's glint; it shows form and no values, and the
 * colour-mapped look knows nothing about it.
 */
import { DataTexture, DoubleSide, LinearFilter, NodeMaterial, NoColorSpace, Vector3 } from 'three/webgpu';
import type { Node, Texture } from 'three/webgpu';
import {
  Discard,
  Fn,
  If,
  abs,
  attribute,
  cameraPosition,
  clamp,
  dot,
  exp,
  float,
  ivec2,
  max,
  mix,
  normalize,
  positionGeometry,
  pow,
  reflect,
  select,
  smoothstep,
  texture,
  uniform,
  varyingProperty,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import { COLOUR_MAP_NAMES, COLOUR_MAP_SIZE, colourMap } from '../fields/colours.ts';
import type { FieldNodes } from './field-nodes.ts';
import type { StageLook } from '../document/views/view-state.ts';

/** The light of an increment, for shader and legend: screen colour of water that the analysis raises or lowers, 0 … 1. */
const RAISED = [1, 0.72, 0.2] as const;
const LOWERED = [0.22, 0.74, 1] as const;

function css([red, green, blue]: readonly [number, number, number]): string {
  return `rgb(${[red, green, blue].map((component) => Math.round(255 * component)).join(' ')})`;
}

/** @param water colour of water that is not changed @returns the gradient of the legend, from lowered to raised */
export function incrementGradient(water: string): string {
  return `linear-gradient(to right, ${css(LOWERED)}, ${water}, ${css(RAISED)})`;
}

/** How much the slope lightens and darkens a colour-mapped surface. */
const SHADING = 0.7;

/** @returns all colour maps in one texture, a row each in the order of COLOUR_MAP_NAMES */
export function createColourMapTexture(): Texture {
  const bytes = new Uint8Array(4 * COLOUR_MAP_SIZE * COLOUR_MAP_NAMES.length);
  for (const [row, name] of COLOUR_MAP_NAMES.entries()) bytes.set(colourMap(name), 4 * COLOUR_MAP_SIZE * row);
  const found = new DataTexture(bytes, COLOUR_MAP_SIZE, COLOUR_MAP_NAMES.length);
  found.minFilter = LinearFilter;
  found.magFilter = LinearFilter;
  found.colorSpace = NoColorSpace;
  found.needsUpdate = true;
  return found;
}

/** What the materials of one view share beside the planes. */
export function createLookNodes(colourMaps: Texture) {
  const map = texture(colourMaps);
  const key = uniform(new Vector3(-0.5, 0.75, 0.45).normalize());
  const mapRow = uniform(0);
  const photoreal = uniform(0);
  /** How brightly increments are lit, 0 … 1, and the increment that is lit in full, m. */
  const glow = uniform(0);
  const glowFull = uniform(1);
  /** 1 where the water is what it was last: its method has diverged. */
  const faded = uniform(0);
  /** @returns a colour-map's colour at t, 0 … 1 */
  const colourAt = (t: Node<'float'>, row: Node<'float'>): Node<'vec3'> =>
    map.sample(
      vec2(
        clamp(t, float(0), float(1))
          .mul((COLOUR_MAP_SIZE - 1) / COLOUR_MAP_SIZE)
          .add(0.5 / COLOUR_MAP_SIZE),
        row.add(0.5).div(COLOUR_MAP_NAMES.length),
      ),
    ).rgb;
  return { uniforms: { key, mapRow, photoreal, glow, glowFull, faded }, colourAt };
}

export type LookNodes = ReturnType<typeof createLookNodes>;

/** Light on a slope against light on level ground: 1 when level. */
export function shadeOf(normal: Node<'vec3'>, look: LookNodes): Node<'float'> {
  const { key } = look.uniforms;
  return clamp(float(1).add(dot(normal, key).sub(key.y).mul(SHADING)), float(0.58), float(1.3));
}

/** Darkens by what is below 1, lightens towards white by what is above. */
export function shaded(colour: Node<'vec3'>, shade: Node<'float'>): Node<'vec3'> {
  const darker = colour.mul(clamp(shade, float(0), float(1)));
  return mix(darker, vec3(1), clamp(shade.sub(1), float(0), float(1)).mul(0.7));
}

/** The sky that water mirrors: bright at the horizon, deep blue above, with the sun's glow where the key light is. */
function skyAt(direction: Node<'vec3'>, key: Node<'vec3'>): Node<'vec3'> {
  const height = clamp(direction.y, float(0), float(1));
  const sky = mix(vec3(0.86, 0.93, 0.97), vec3(0.16, 0.36, 0.62), pow(height, float(0.6)));
  const glow = pow(max(dot(direction, key), float(0)), float(10)).mul(0.35);
  return sky.add(vec3(1, 0.95, 0.82).mul(glow));
}

/** Slopes are lit as if they were this much steeper: heights are drawn exaggerated, and still gentle. */
const STEEPER = 2.2;

/**
 * What shows a wave: light on its slopes, light that passes through its crest, and at a grazing look the sky in it.
 *
 * @param crest height of the surface against the waves' height, about −1 … 1
 */
function photorealColour(
  normal: Node<'vec3'>,
  world: Node<'vec3'>,
  bed: Node<'float'>,
  thickness: Node<'float'>,
  crest: Node<'float'>,
  look: LookNodes,
): Node<'vec3'> {
  const { key } = look.uniforms;
  const steep = normalize(vec3(normal.x.mul(STEEPER), normal.y, normal.z.mul(STEEPER)));
  const view = normalize(cameraPosition.sub(world));
  const facing = clamp(dot(steep, view), float(0), float(1));
  const fresnel = float(0.025).add(pow(facing.oneMinus(), float(4)).mul(0.75));
  // The path of light through the water, longer where it is looked at askance.
  const path = thickness.div(facing.mul(0.7).add(0.3));
  const passed = exp(vec3(4.2, 1.9, 1.5).mul(path).negate());
  const ground = vec3(0.78, 0.71, 0.56).mul(bed);
  const light = clamp(dot(steep, key), float(0), float(1)).mul(1.25).add(0.12);
  const through = mix(vec3(0.015, 0.15, 0.27), vec3(0.13, 0.6, 0.62), smoothstep(float(-1), float(1), crest));
  const scattered = mix(vec3(0.16, 0.58, 0.6), through, smoothstep(float(0), float(0.9), path)).mul(light);
  const body = mix(scattered, ground, passed);
  const half = normalize(view.add(key));
  const shine = max(dot(steep, half), float(0));
  const glint = pow(shine, float(320))
    .mul(1.3)
    .add(pow(shine, float(28)).mul(0.12));
  const mirrored = skyAt(reflect(view.negate(), steep), key);
  return mix(body, mirrored, fresnel).add(vec3(1, 0.97, 0.9).mul(glint));
}

/** While increments are lit the rest of the water steps back by this much. */
const STEP_BACK = 0.38;

/** @returns the colour under the light of an increment (m) */
function lit(colour: Node<'vec3'>, increment: Node<'float'>, { uniforms }: LookNodes): Node<'vec3'> {
  const t = clamp(increment.div(uniforms.glowFull), float(-1), float(1));
  const light = select(t.greaterThan(0), vec3(...RAISED), vec3(...LOWERED));
  const dimmed = colour.mul(float(1).sub(uniforms.glow.mul(STEP_BACK)));
  return mix(dimmed, light, pow(abs(t), float(0.75)).mul(uniforms.glow).mul(0.92));
}

/** @returns the colour, or a dim grey of its lightness where the method has diverged */
function present(colour: Node<'vec3'>, { uniforms }: LookNodes): Node<'vec3'> {
  const grey = dot(colour, vec3(0.3, 0.59, 0.11)).mul(0.42);
  return mix(colour, vec3(grey), uniforms.faded);
}

/** The water's surface over the mesh of `surfaceGeometry`. @param looks that it can take */
export function createWaterMaterial(fields: FieldNodes, look: LookNodes, looks: readonly StageLook[]): NodeMaterial {
  const cell = ivec2(attribute('cell', 'vec2'));
  const normal = varyingProperty('vec3', 'waterNormal');
  const world = varyingProperty('vec3', 'waterWorld');
  const value = varyingProperty('float', 'waterValue');
  const depth = varyingProperty('float', 'waterDepth');
  const thickness = varyingProperty('float', 'waterThickness');
  const bed = varyingProperty('float', 'waterBed');
  const increment = varyingProperty('float', 'waterIncrement');
  const crest = varyingProperty('float', 'waterCrest');
  const material = new NodeMaterial();
  material.name = 'stage.water';
  material.side = DoubleSide;
  material.positionNode = Fn(() => {
    const level = fields.levelAt(cell).toVar();
    const height = fields.heightOf(level.x).toVar();
    const ground = fields.bedHeight(cell).toVar();
    normal.assign(fields.normalOf(fields.surfaceHeight, cell));
    value.assign(fields.valueAt(cell));
    increment.assign(fields.incrementAt(cell));
    crest.assign(level.x.div(fields.uniforms.scale.x).mul(1.5));
    depth.assign(level.y);
    // Drawn thickness against that of a deep basin.
    thickness.assign(max(height.sub(ground), float(0)).div(0.22));
    bed.assign(shadeOf(fields.normalOf(fields.bedHeight, cell), look));
    const position = vec3(positionGeometry.x, height, positionGeometry.z).toVar();
    world.assign(position);
    return position;
  })();
  material.fragmentNode = Fn(() => {
    const { range } = fields.uniforms;
    Discard(depth.lessThanEqual(0));
    const across = normalize(normal);
    const mapped = (): Node<'vec3'> => {
      const t = value.sub(range.x).div(range.y.sub(range.x));
      return shaded(look.colourAt(t, look.uniforms.mapRow), shadeOf(across, look));
    };
    const photoreal = (): Node<'vec3'> => photorealColour(across, world, bed, thickness, crest, look);
    const colour = (looks.includes('colour-mapped') ? mapped() : photoreal()).toVar();
    if (looks.length > 1) {
      If(look.uniforms.photoreal.greaterThan(0.5), () => {
        colour.assign(photoreal());
      });
    }
    If(look.uniforms.glow.greaterThan(0), () => {
      colour.assign(lit(colour, increment, look));
    });
    return vec4(present(colour, look), 1);
  })();
  return material;
}

/**
 * The water's sides where the basin's edge cuts it, over `skirtGeometry`: a body of water, with the surface's edge alight.
 * @param hangs whether it reaches to its foot also where that is above the surface, as on a ring, whose foot is at zero
 */
export function createWaterSideMaterial(
  fields: FieldNodes,
  look: LookNodes,
  shallow: Node<'vec3'>,
  deep: Node<'vec3'>,
  hangs = false,
): NodeMaterial {
  const cell = ivec2(attribute('cell', 'vec2'));
  const rise = attribute('rise', 'float');
  const outward = attribute('outward', 'vec3');
  const depth = varyingProperty('float', 'sideDepth');
  const below = varyingProperty('float', 'sideBelow');
  const light = varyingProperty('float', 'sideLight');
  const material = new NodeMaterial();
  material.name = 'stage.water-side';
  if (hangs) material.side = DoubleSide;
  material.positionNode = Fn(() => {
    const top = fields.surfaceHeight(cell).toVar();
    const foot = fields.bedHeight(cell).toVar();
    depth.assign(fields.depthAt(cell));
    const reach = hangs ? abs(top.sub(foot)) : max(top.sub(foot), float(0));
    below.assign(reach.mul(float(1).sub(rise)));
    light.assign(dot(outward, look.uniforms.key).mul(0.3).add(0.85));
    return vec3(positionGeometry.x, mix(foot, hangs ? top : max(top, foot), rise), positionGeometry.z);
  })();
  material.fragmentNode = Fn(() => {
    Discard(depth.lessThan(fields.uniforms.dry));
    const body = mix(shallow, deep, smoothstep(float(0), float(0.3), below));
    const edge = smoothstep(float(0), float(0.006), below).oneMinus().mul(0.55);
    return vec4(present(mix(body.mul(light), vec3(1), edge), look), 1);
  })();
  return material;
}

/** @returns a uniform of a screen colour */
export function colourUniform(components: readonly [number, number, number]) {
  return uniform(new Vector3(...components));
}
