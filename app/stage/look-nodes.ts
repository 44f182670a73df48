/** What all materials of a view share beside its planes: colour maps, lights, and how strongly each look is drawn. */
import { DataTexture, LinearFilter, NoColorSpace, Vector3 } from 'three/webgpu';
import type { Node, Texture } from 'three/webgpu';
import { clamp, dot, float, mix, texture, uniform, vec2, vec3 } from 'three/tsl';
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
