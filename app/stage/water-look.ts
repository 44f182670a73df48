/**
 * Water as it would look: lit relief with its shadows, the bed seen through it, bent and absorbed, the sky in it, foam where it is
 * steep; and over it the colours of a field, as strongly as they say something. No pictures are loaded: everything is computed. Also
 * what all materials of a view share beside its planes: colour maps, lights, and how strongly each look is drawn.
 */
import { type Node, DataTexture, LinearFilter, NoColorSpace, Vector3, type Texture } from 'three/webgpu';
import {
  Fn,
  If,
  Loop,
  abs,
  cameraPosition,
  clamp,
  dot,
  exp,
  exp2,
  float,
  floor,
  fract,
  fwidth,
  int,
  length,
  max,
  min,
  mix,
  normalize,
  pow,
  reflect,
  refract,
  sin,
  smoothstep,
  vec2,
  vec3,
  texture,
  uniform,
} from 'three/tsl';
import type { FieldNodes } from './field-nodes.ts';
import { COLOUR_MAP_NAMES, COLOUR_MAP_SIZE, colourMap, waterTint } from '../fields/colours.ts';
import type { ColourMapName } from '../fields/field.ts';

/** How much the slope lightens and darkens a colour-mapped surface. */
const SHADING = 0.7;

/** Rows of the texture: each colour map, then each as it is laid over water. */
const ROWS = 2 * COLOUR_MAP_NAMES.length;

/** @returns the row of a colour map in the texture. @param overWater as it is laid over water */
export function colourMapRow(name: ColourMapName, overWater = false): number {
  return COLOUR_MAP_NAMES.indexOf(name) + (overWater ? COLOUR_MAP_NAMES.length : 0);
}

/** @returns all colour maps in one texture */
export function createColourMapTexture(): Texture {
  const bytes = new Uint8Array(4 * COLOUR_MAP_SIZE * ROWS);
  for (const name of COLOUR_MAP_NAMES) {
    bytes.set(colourMap(name), 4 * COLOUR_MAP_SIZE * colourMapRow(name));
    bytes.set(waterTint(name), 4 * COLOUR_MAP_SIZE * colourMapRow(name, true));
  }
  const found = new DataTexture(bytes, COLOUR_MAP_SIZE, ROWS);
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
  const sun = uniform(new Vector3(-0.5, 0.5, 0.7).normalize());
  const mapRow = uniform(0);
  const photoreal = uniform(0);
  /** 1 where steep water has foam, 0 where what is lifted is no water. */
  const foam = uniform(0);
  /** How strong the colours of the map are over real water, 0 … 1. */
  const tint = uniform(1);
  /** How brightly increments are lit, 0 … 1, and the increment that is lit in full, m. */
  const glow = uniform(0);
  const glowFull = uniform(1);
  /** 1 where the water is what it was last: its method has diverged. */
  const faded = uniform(0);
  /** @returns a colour-map's colour at t, 0 … 1, and how strong it is over water */
  const tintAt = (t: Node<'float'>, row: Node<'float'>): Node<'vec4'> =>
    map.sample(
      vec2(
        clamp(t, float(0), float(1))
          .mul((COLOUR_MAP_SIZE - 1) / COLOUR_MAP_SIZE)
          .add(0.5 / COLOUR_MAP_SIZE),
        row.add(0.5).div(ROWS),
      ),
    );
  return { uniforms: { key, sun, mapRow, photoreal, foam, tint, glow, glowFull, faded }, tintAt };
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

/** @returns a uniform of a screen colour */
export function colourUniform(components: readonly [number, number, number]) {
  return uniform(new Vector3(...components));
}

type Scalar = Node<'float'>;
type Vector = Node<'vec3'>;

const SUNLIGHT = vec3(1, 0.96, 0.88);
/** Share of the light that passes each unit of the scene is e to minus this: red goes first. */
const ABSORBED = vec3(7.5, 2.3, 1.45);
/** What water itself sends back, deep and in a crest that light passes. */
const DEEP = vec3(0.015, 0.135, 0.27);
const CREST = vec3(0.1, 0.48, 0.64);
const SAND = vec3(0.8, 0.79, 0.72);
const FOAM = vec3(0.94, 0.97, 0.98);
/** Refractive index of air against water. */
const INTO_WATER = 1 / 1.33;
/** Light and mirror take slopes for this much steeper: heights are drawn exaggerated, and still gentle. */
const STEEPER = 1.8;
const RIPPLES = 0.07;
/** Lines on the bed, in the scene's units: sixteen along the longer side. */
const TILE = 0.125;

/** Steps towards the sun in which the shade of a vertex is sought, and their length, in the scene's units. */
const SHADE_STEPS = 10;
const SHADE_STEP = 0.035;
/** With as many cells in a step, or more, the height of the nearest one says as much as one between four. */
const FINE = 3;

/** The sky that water mirrors: bright at the horizon, blue above, with broad bright bands that show how the surface bends. */
function skyAt(direction: Vector, sun: Vector): Vector {
  const up = clamp(direction.y, float(0), float(1));
  const sky = mix(vec3(0.9, 0.94, 0.96), vec3(0.2, 0.45, 0.75), pow(up, float(0.5)));
  const towards = max(dot(direction, sun), float(0));
  return sky.add(SUNLIGHT.mul(pow(towards, float(6)).mul(0.5)));
}

/** @returns how much of the sun reaches a vertex past the waves before it, 0 … 1; in a vertex shader */
export function sunlitAt(fields: FieldNodes, look: LookNodes, place: Node<'vec2'>, height: Scalar): Scalar {
  const { sun } = look.uniforms;
  const { cellX, cellZ } = fields.extent;
  const isFine = SHADE_STEP >= FINE * Math.max(cellX, cellZ);
  const across = length(sun.xz);
  const rise = sun.y.div(across).mul(SHADE_STEP);
  const step = vec2(sun.x.div(cellX), sun.z.negate().div(cellZ)).div(across).mul(SHADE_STEP);
  const lit = float(1).toVar();
  Loop({ start: int(1), end: int(SHADE_STEPS + 1), type: 'int', condition: '<' }, ({ i }) => {
    const away = float(i);
    const at = place.add(step.mul(away));
    const before = isFine ? fields.heightNear(at) : fields.heightBetween(at);
    const clear = height.add(rise.mul(away)).sub(before);
    // The farther what shades it, the softer.
    lit.assign(min(lit, smoothstep(float(-0.02), float(0.006).mul(away), clear)));
  });
  return lit;
}

/** Noise between 0 and 1 on a grid of unit squares. */
const noiseAt = Fn(([at]: [Node<'vec2'>]) => {
  const corner = floor(at).toVar();
  const within = fract(at).toVar();
  const s = within.mul(within).mul(vec2(3).sub(within.mul(2)));
  const random = (x: number, y: number): Scalar =>
    fract(sin(dot(corner.add(vec2(x, y)), vec2(127.1, 311.7))).mul(43_758.5453));
  return mix(mix(random(0, 0), random(1, 0), s.x), mix(random(0, 1), random(1, 1), s.x), s.y);
});

/** @returns slopes of the fine ripples that wind makes on any water, from noise: they carry nothing and make it glitter */
function ripplesAt(at: Node<'vec2'>): Node<'vec2'> {
  const slopes = (scale: number): Node<'vec2'> => {
    const fine = at.mul(scale);
    const here = noiseAt(fine);
    return vec2(noiseAt(fine.add(vec2(0.5, 0))), noiseAt(fine.add(vec2(0, 0.5)))).sub(here);
  };
  return slopes(38).add(slopes(83)).mul(RIPPLES);
}

/** Sand with fine lines, where the bed is seen. @param at scene x and z @returns the share of light that it sends back */
function bedColour(at: Node<'vec2'>): Vector {
  const tiles = at.div(TILE);
  const wide = max(fwidth(tiles), vec2(1e-4));
  const away = abs(fract(tiles.sub(0.5)).sub(0.5)).div(wide.mul(1.2));
  const line = clamp(float(1).sub(min(away.x, away.y)), float(0), float(1));
  // Where lines are closer than pixels none is seen.
  const seen = clamp(float(0.6).sub(max(wide.x, wide.y)).mul(2), float(0), float(1));
  return mix(SAND, SAND.mul(0.55), line.mul(seen));
}

/** @returns the colour of water in its cut. @param below depth under the surface, in the scene's units */
export function sideColour(below: Scalar): Vector {
  return mix(DEEP, vec3(0.1, 0.45, 0.52), exp(below.mul(-4)).mul(0.8));
}

interface WaterPoint {
  /** Where the surface is, in cells and in the scene. */
  readonly place: Node<'vec2'>;
  readonly world: Vector;
  /** Drawn height of the water over its bed. */
  readonly thickness: Scalar;
  /** Height of the surface against that of the waves, about −1 … 1. */
  readonly crest: Scalar;
  /** Share of the sun that reaches it. */
  readonly sunlit: Scalar;
  /** Colour of the field there, and how strong it is, 0 … 1. */
  readonly tint: Node<'vec4'>;
}

/** @returns the screen colour of water there; in a fragment shader */
export function waterColour(fields: FieldNodes, look: LookNodes, point: WaterPoint): Vector {
  const { place, world, thickness, crest, sunlit, tint } = point;
  const { extent } = fields;
  const { sun, tint: strength } = look.uniforms;
  const bend = fields.surfaceBend(place).toVar();
  const normal = normalize(vec3(bend.x.negate(), 1, bend.y)).toVar();
  const view = normalize(cameraPosition.sub(world)).toVar();

  // The bed, where the bent look meets it.
  const into = refract(view.negate(), normal, float(INTO_WATER)).toVar();
  const steep = max(into.y.negate(), float(0.35));
  const guess = world.xz.add(into.xz.mul(thickness.div(steep)));
  const edge = vec2(extent.x, extent.z);
  const met = clamp(guess, edge.negate(), edge).toVar();
  const ground = fields.bedBend(fields.placeAt(met)).toVar();
  const path = max(world.y.sub(ground.w), float(0)).div(steep).toVar();
  const groundNormal = normalize(vec3(ground.x.negate(), 1, ground.y));
  // Crests gather light on the bed, troughs scatter it.
  const gathered = exp2(clamp(bend.z.mul(path).mul(-0.06), float(-0.8), float(1.1)));
  const onBed = max(dot(groundNormal, sun), float(0)).mul(0.75).add(0.4).mul(gathered);
  const passed = exp(ABSORBED.mul(path.add(thickness).mul(0.5)).negate()).toVar();

  // The water itself: light on its slopes, and light that passes a crest.
  const steepened = normalize(vec3(bend.x.mul(-STEEPER), 1, bend.y.mul(STEEPER))).toVar();
  const diffuse = dot(steepened, sun).sub(sun.y);
  const hollow = clamp(bend.z.mul(-0.012), float(-0.25), float(0.3));
  const light = clamp(diffuse.mul(1.3).add(hollow).add(1), float(0.3), float(1.9))
    .mul(mix(float(0.5), float(1), sunlit))
    .toVar();
  const body = mix(DEEP, CREST, smoothstep(float(-1.1), float(1.4), crest)).mul(light);
  const through = bedColour(met)
    .mul(onBed)
    .mul(mix(float(0.55), float(1), sunlit));
  const seen = mix(body, through, passed);

  const alpha = tint.a.mul(strength);
  const ripples = ripplesAt(world.xz).toVar();
  // Colours of a field, lit as the water is.
  const covered = mix(seen, tint.rgb.mul(clamp(light.mul(0.7).add(0.3), float(0.5), float(1.25))), alpha).toVar();

  // Foam where it is steep.
  const slope = length(bend.xy);
  const froth = smoothstep(float(0.75), float(1.9), slope)
    .mul(smoothstep(float(-0.4), float(0.5), crest))
    .mul(look.uniforms.foam)
    .toVar();
  If(froth.greaterThan(0.01), () => {
    const grain = noiseAt(world.xz.mul(55))
      .mul(0.6)
      .add(noiseAt(world.xz.mul(140)).mul(0.4));
    const foam = smoothstep(float(1).sub(froth), float(1.25).sub(froth.mul(0.6)), grain);
    covered.assign(mix(covered, FOAM.mul(light), foam.mul(0.8)));
  });

  const rippled = normalize(steepened.add(vec3(ripples.x, 0, ripples.y))).toVar();
  const askance = clamp(dot(rippled, view), float(0), float(1)).oneMinus();
  const fresnel = pow(askance, float(3))
    .mul(0.8)
    .add(0.03)
    .mul(float(1).sub(alpha.mul(0.5)));
  const mirrored = skyAt(reflect(view.negate(), rippled), sun);
  const shine = max(dot(rippled, normalize(view.add(sun))), float(0));
  const glint = pow(shine, float(500))
    .mul(0.75)
    .add(pow(shine, float(60)).mul(0.1))
    .mul(sunlit)
    .mul(float(1).sub(alpha))
    .mul(mix(float(0.15), float(1), look.uniforms.foam));
  return mix(covered, mirrored, fresnel).add(SUNLIGHT.mul(glint));
}
