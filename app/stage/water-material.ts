/**
 * How water looks. Colour-mapped: the map's colour, gently shaded by the slope so that level water shows it unchanged.
 * Photoreal: real water under the colours, see water-look.ts; the colour-mapped look knows nothing about it.
 */
import { DoubleSide, NodeMaterial, type Node } from 'three/webgpu';
import {
  Discard,
  Fn,
  If,
  abs,
  attribute,
  clamp,
  dot,
  float,
  ivec2,
  max,
  mix,
  normalize,
  positionGeometry,
  pow,
  select,
  smoothstep,
  varyingProperty,
  vec3,
  vec4,
} from 'three/tsl';
import { INCREMENT_LIGHT } from '../fields/colours.ts';
import type { FieldNodes } from './field-nodes.ts';
import type { DrawnLook } from '../document/views/view-state.ts';
import { shadeOf, shaded, type LookNodes, sideColour, sunlitAt, waterColour } from './water-look.ts';

/** While increments are lit the rest of the water steps back by this much. */
const STEP_BACK = 0.38;

/** @returns the colour under the light of an increment (m) */
function lit(colour: Node<'vec3'>, increment: Node<'float'>, { uniforms }: LookNodes): Node<'vec3'> {
  const t = clamp(increment.div(uniforms.glowFull), float(-1), float(1));
  const light = select(t.greaterThan(0), vec3(...INCREMENT_LIGHT.raised), vec3(...INCREMENT_LIGHT.lowered));
  const dimmed = colour.mul(float(1).sub(uniforms.glow.mul(STEP_BACK)));
  return mix(dimmed, light, pow(abs(t), float(0.75)).mul(uniforms.glow).mul(0.92));
}

/** @returns the colour, or a dim grey of its lightness where the method has diverged */
function present(colour: Node<'vec3'>, { uniforms }: LookNodes): Node<'vec3'> {
  const grey = dot(colour, vec3(0.3, 0.59, 0.11)).mul(0.42);
  return mix(colour, vec3(grey), uniforms.faded);
}

/** The water's surface over the mesh of `surfaceGeometry`. @param looks that it can take */
export function createWaterMaterial(fields: FieldNodes, look: LookNodes, looks: readonly DrawnLook[]): NodeMaterial {
  const cell = ivec2(attribute('cell', 'vec2'));
  const normal = varyingProperty('vec3', 'waterNormal');
  const world = varyingProperty('vec3', 'waterWorld');
  const value = varyingProperty('float', 'waterValue');
  const depth = varyingProperty('float', 'waterDepth');
  const increment = varyingProperty('float', 'waterIncrement');
  const place = varyingProperty('vec2', 'waterPlace');
  const thickness = varyingProperty('float', 'waterThickness');
  const crest = varyingProperty('float', 'waterCrest');
  const sunlit = varyingProperty('float', 'waterSunlit');
  const [isSimple, isReal] = [looks.includes('colour-mapped'), looks.includes('photoreal')];
  const isChosenReal = look.uniforms.photoreal.greaterThan(0.5);
  const material = new NodeMaterial();
  material.name = 'stage.water';
  material.side = DoubleSide;
  material.positionNode = Fn(() => {
    const level = fields.levelAt(cell).toVar();
    const height = fields.heightOf(level.x).toVar();
    if (isSimple) {
      If(isChosenReal.not(), () => {
        normal.assign(fields.normalOf(fields.surfaceHeight, cell));
      });
    }
    value.assign(fields.valueAt(cell));
    increment.assign(fields.incrementAt(cell));
    depth.assign(level.y);
    const position = vec3(positionGeometry.x, height, positionGeometry.z).toVar();
    if (isReal) {
      If(isChosenReal, () => {
        const at = attribute('cell', 'vec2');
        place.assign(at);
        world.assign(position);
        crest.assign(level.x.div(fields.uniforms.scale.x).mul(1.5));
        thickness.assign(max(height.sub(fields.bedHeight(cell)), float(0)));
        sunlit.assign(sunlitAt(fields, look, at, height));
      });
    }
    return position;
  })();
  material.fragmentNode = Fn(() => {
    const { range } = fields.uniforms;
    Discard(depth.lessThanEqual(0));
    const t = value.sub(range.x).div(range.y.sub(range.x));
    const tint = look.tintAt(t, look.uniforms.mapRow);
    const simple = (): Node<'vec3'> => shaded(tint.rgb, shadeOf(normalize(normal), look));
    const real = (): Node<'vec3'> => waterColour(fields, look, { place, world, thickness, crest, sunlit, tint });
    const colour = (isSimple ? simple() : real()).toVar();
    if (isSimple && isReal) {
      If(isChosenReal, () => {
        colour.assign(real());
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
    const plain = mix(shallow, deep, smoothstep(float(0), float(0.3), below));
    const body = mix(plain, sideColour(below), look.uniforms.photoreal);
    const edge = smoothstep(float(0), float(0.006), below).oneMinus().mul(0.55);
    return vec4(present(mix(body.mul(light), vec3(1), edge), look), 1);
  })();
  return material;
}
