/**
 * The materials that all views of a basin draw with. To build the nodes of one takes a page longer than all else that another
 * field asks for, so each is built once, however many views there are: what differs between them are planes and numbers, which a
 * view sets before it is drawn (`use`).
 */
import type { NodeMaterial, Texture } from 'three/webgpu';
import type { BasinInfo } from '../../engine/index.ts';
import { createBedMaterial, createEarthMaterial, createWallMaterials } from './bathymetry.ts';
import { PLANE_NAMES, createFieldNodes, createFieldSlots, type PlaneName } from './field-nodes.ts';
import { createMemberMaterial, createZeroMaterial } from './ring-lines.ts';
import type { ScenePalette } from '../fields/colours.ts';
import { createStemMaterial, createStemUniforms } from './stems.ts';
import { colourUniform, createLookNodes } from './water-look.ts';
import { createWaterMaterial, createWaterSideMaterial } from './water-material.ts';
import { VIEW_FIELDS, fieldOf, type Field, type ViewFieldId } from '../fields/fields.ts';
import type { DrawnLook } from '../document/views/view-state.ts';

/**
 * What the shaders of a view can show without being compiled again. On a GPU one program serves everything, so that another field
 * is on screen at once. A processor goes through all that a program could do for every vertex and pixel of it, and through every
 * line when it is compiled: there a program does what is on screen and nothing else.
 */
interface ViewProgram {
  readonly name: string;
  readonly fields: readonly Field<ViewFieldId>[];
  readonly looks: readonly DrawnLook[];
}

const WHOLE_PROGRAM: ViewProgram = { name: '', fields: VIEW_FIELDS, looks: ['colour-mapped', 'photoreal'] };

/** @returns the program in which a field is drawn */
export function programOf(id: ViewFieldId, look: DrawnLook, inSoftware: boolean): ViewProgram {
  if (!inSoftware) return WHOLE_PROGRAM;
  return { name: `${id}/${look}`, fields: [fieldOf(id)], looks: [look] };
}

const COLOURS = ['bed', 'land', 'earth', 'shallow', 'deep', 'wall', 'rim', 'neutral', 'stem'] as const;

/** What is a view's own: the planes that it shows, and how. */
export interface ViewValues {
  readonly planes: Partial<Record<PlaneName, Texture>>;
  /** Number of the field. */
  field: number;
  /** From, to, in the field's unit. */
  range: readonly [number, number];
  /** knee, near, below, above: see elevation.ts. */
  scale: readonly [number, number, number, number];
  /** Depth under which a cell is dry, m. */
  dry: number;
  /** Row of the colour map. */
  mapRow: number;
  /** 1 for real water, else 0. */
  photoreal: number;
  /** 1 where steep water has foam, else 0. */
  foam: number;
  /** How brightly increments are lit, 0 … 1, and the increment that is lit in full, m. */
  glow: number;
  glowFull: number;
  /** 1 where the method has diverged, else 0. */
  faded: number;
  /** How strong the colours are over real water, 0 … 1. */
  tint: number;
  /** Directions of the key light and of the sun over real water, in the scene. */
  light: readonly [number, number, number];
  sun: readonly [number, number, number];
  palette: ScenePalette;
  /** Height at which the earth ends, in the scene's units. */
  floor: number;
  /** In the scene's units; heads of `coloured` 1 show innovations, of 0 none. */
  stems: { readonly radius: number; readonly height: number; readonly coloured: number };
}

/** The materials of what follows the field. */
export interface ProgramMaterials {
  readonly water: NodeMaterial;
  readonly side: NodeMaterial;
  readonly stems: NodeMaterial;
}

export type ViewMaterials = ReturnType<typeof createViewMaterials>;

/** @param colourMaps of `createColourMapTexture` */
export function createViewMaterials(basin: BasinInfo, colourMaps: Texture) {
  const slots = createFieldSlots();
  const looks = createLookNodes(colourMaps);
  const { uniforms } = looks;
  const colours = Object.fromEntries(COLOURS.map((name) => [name, colourUniform([0, 0, 0])])) as Record<
    (typeof COLOURS)[number],
    ReturnType<typeof colourUniform>
  >;
  const ground = createFieldNodes(basin, [], slots);
  const earth = createEarthMaterial(ground, looks, colours.earth);
  const bed = createBedMaterial(ground, looks, colours.bed, colours.land);
  const walls = createWallMaterials(colours.wall, colours.rim, looks);
  const zero = createZeroMaterial(colours.rim);
  const members = createMemberMaterial(colours.stem);
  const stems = createStemUniforms();
  const programs = new Map<string, ProgramMaterials>();

  const create = ({ fields: served, looks: taken }: ViewProgram): ProgramMaterials => {
    const fields = createFieldNodes(basin, served, slots);
    return {
      water: createWaterMaterial(fields, looks, taken),
      side: createWaterSideMaterial(fields, looks, colours.shallow, colours.deep, basin.isRing === true),
      stems: createStemMaterial(fields, looks, colours.neutral, colours.stem, stems),
    };
  };
  return {
    earth: earth.material,
    bed,
    walls,
    zero,
    members,
    /** @returns those of a program, made when they are first asked for */
    of(program: ViewProgram): ProgramMaterials {
      let found = programs.get(program.name);
      if (!found) {
        found = create(program);
        programs.set(program.name, found);
      }
      return found;
    },
    /** Everything drawn from now on is of the view with these values. */
    use(values: ViewValues): void {
      for (const name of PLANE_NAMES) {
        const texture = values.planes[name];
        if (texture) slots.planes[name].value = texture;
      }
      slots.uniforms.field.value = values.field;
      slots.uniforms.range.value.set(...values.range);
      slots.uniforms.scale.value.set(...values.scale);
      slots.uniforms.dry.value = values.dry;
      for (const name of ['mapRow', 'photoreal', 'foam', 'tint', 'glow', 'glowFull', 'faded'] as const) {
        uniforms[name].value = values[name];
      }
      uniforms.key.value.set(...values.light);
      uniforms.sun.value.set(...values.sun);
      for (const name of COLOURS) colours[name].value.set(...values.palette[name]);
      earth.floor.value = values.floor;
      stems.radius.value = values.stems.radius;
      stems.height.value = values.stems.height;
      stems.coloured.value = values.stems.coloured;
    },
    dispose(): void {
      const own = [earth.material, bed, walls.wall, walls.rim, zero, members];
      const served = [...programs.values()].flatMap(({ water, side, stems }) => [water, side, stems]);
      for (const material of [...own, ...served]) material.dispose();
    },
  };
}
