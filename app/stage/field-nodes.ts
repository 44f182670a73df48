/**
 * The fields of a view on the GPU: shader expressions for elevation, value and normal at a cell, from the planes' textures.
 * Where a program serves several fields, the one that is shown is a uniform, so that another compiles nothing.
 * The formulas are those of field-values.ts.
 */
import { DataTexture, FloatType, NearestFilter, RedFormat, Vector2, Vector4 } from 'three/webgpu';
import type { Node, Texture, TextureNode } from 'three/webgpu';
import {
  Fn,
  If,
  Loop,
  clamp,
  cos,
  float,
  floor,
  int,
  ivec2,
  length,
  max,
  min,
  mix,
  normalize,
  round,
  select,
  sin,
  sqrt,
  texture,
  uniform,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import type { BasinInfo } from '../../engine/index.ts';
import { VIEW_FIELDS, type Field, type ViewFieldId } from '../fields/fields.ts';
import type { FieldCell } from '../fields/field.ts';
import { basinExtent } from './grid-geometry.ts';

/** The planes that a view's shaders read. */
export const PLANE_NAMES = [
  'eta',
  'hu',
  'hv',
  'bed',
  'truthEta',
  'forecastEta',
  'spread',
  'shown',
  'local',
  'increment',
] as const;
export type PlaneName = (typeof PLANE_NAMES)[number];

/** The field's number in the shader: its place in the registry. */
export function fieldNumber(id: ViewFieldId): number {
  return VIEW_FIELDS.findIndex((field) => field.id === id);
}

type Cell = Node<'ivec2'>;
type Scalar = Node<'float'>;

function planeSlot(): TextureNode {
  const placeholder = new DataTexture(new Float32Array(1), 1, 1, RedFormat, FloatType);
  placeholder.minFilter = NearestFilter;
  placeholder.magFilter = NearestFilter;
  placeholder.needsUpdate = true;
  const node = texture(placeholder);
  // Two slots may show one texture for a while; they stay two bindings.
  Object.assign(node, { mergeable: false });
  return node;
}

/** The cell index that i means beside the edge: wrapped where periodic, the edge's own where not. */
function edge(i: Node<'int'>, n: number, periodic: boolean): Node<'int'> {
  return periodic
    ? i.add(int(n)).mod(int(n))
    : select(i.lessThan(int(0)), int(0), select(i.greaterThan(int(n - 1)), int(n - 1), i));
}

/** @returns weight, slope and curvature of the quadratic B-spline of a neighbour (−1, 0 or 1), `at` from the middle one, −½ … ½ */
function spline(step: Scalar, at: Scalar): readonly [Scalar, Scalar, Scalar] {
  const side = step.mul(at).add(0.5);
  const isMiddle = step.equal(0);
  return [
    select(isMiddle, float(0.75).sub(at.mul(at)), side.mul(side).mul(0.5)),
    select(isMiddle, at.mul(-2), step.mul(side)),
    select(isMiddle, float(-2), float(1)),
  ];
}

/** What the expressions read and is set from outside: all programs of a basin may read the same. */
export function createFieldSlots() {
  return {
    planes: Object.fromEntries(PLANE_NAMES.map((name) => [name, planeSlot()])) as Record<PlaneName, TextureNode>,
    uniforms: {
      field: uniform(0, 'int'),
      /** knee, near, below, above: see elevation.ts. */
      scale: uniform(new Vector4(1, 1, 1, 1)),
      /** From, to. */
      range: uniform(new Vector2(-1, 1)),
      dry: uniform(1e-4),
    },
  };
}

export type FieldSlots = ReturnType<typeof createFieldSlots>;

/**
 * @param served the fields that the program can show
 * @param slots what its expressions read
 * @returns the slots, the uniforms and the expressions of one program
 */
export function createFieldNodes(
  basin: BasinInfo,
  served: readonly Field<ViewFieldId>[] = VIEW_FIELDS,
  slots: FieldSlots = createFieldSlots(),
) {
  const { nx, ny, dx, dy, periodicX, periodicY, gravity, isRing } = basin;
  const extent = basinExtent(basin);
  const { planes, uniforms } = slots;
  const { field, scale, dry } = uniforms;

  const load = (name: PlaneName, cell: Cell): Scalar => planes[name].load(cell).x;
  const beside = (cell: Cell, stepX: number, stepY: number): Cell =>
    ivec2(edge(cell.x.add(int(stepX)), nx, periodicX), edge(cell.y.add(int(stepY)), ny, periodicY));

  // On a ring nothing is dry.
  const depthAt = (cell: Cell): Scalar => (isRing ? float(1) : max(load('eta', cell).sub(load('bed', cell)), float(0)));
  const velocityAt = (name: 'hu' | 'hv', cell: Cell): Scalar => {
    const depth = depthAt(cell).toVar();
    return select(depth.greaterThan(dry), load(name, cell).div(max(depth, dry)), float(0));
  };

  /** A cell as expressions of the shader. */
  const nodesAt = (cell: Cell): FieldCell<Scalar> => ({
    elevation: (name) => load(name, cell),
    depth: () => depthAt(cell),
    u: () => velocityAt('hu', cell),
    v: () => velocityAt('hv', cell),
    slopeX(of) {
      const [west, east] = [beside(cell, -1, 0), beside(cell, 1, 0)];
      const span = periodicX ? float(2 * dx) : max(float(east.x.sub(west.x)), float(1)).mul(dx);
      return of(nodesAt(east))
        .sub(of(nodesAt(west)))
        .div(span);
    },
    slopeY(of) {
      const [south, north] = [beside(cell, 0, -1), beside(cell, 0, 1)];
      const span = periodicY ? float(2 * dy) : max(float(north.y.sub(south.y)), float(1)).mul(dy);
      return of(nodesAt(north))
        .sub(of(nodesAt(south)))
        .div(span);
    },
    dry,
    gravity: float(gravity),
    minus: (a, b) => a.sub(b),
    times: (a, b) => a.mul(b),
    over: (a, b) => a.div(b),
    length: (a, b) => length(vec2(a, b)),
    root: (a) => sqrt(a),
    larger: (a, b) => max(a, b),
  });

  /** Does what is asked for of the field that is shown, where that is among some of those served. */
  const ofShown = (some: readonly Field<ViewFieldId>[], assign: (field: Field<ViewFieldId>) => void): void => {
    if (served.length === 1 && some.length === 1) {
      assign(some[0]);
      return;
    }
    for (const each of some) {
      If(field.equal(int(fieldNumber(each.id))), () => {
        assign(each);
      });
    }
  };

  /** What lifts the surface, m: η, or in views of differences and of spread these themselves, on the same scale. */
  const liftAt = Fn(([cell]: [Cell]) => {
    const lift = load('eta', cell).toVar();
    const lifted = served.filter((each) => each.lift === 'value');
    ofShown(lifted, (each) => {
      lift.assign(each.value(nodesAt(cell)));
    });
    return lift;
  });

  /** The value that is coloured, in the field's unit. */
  const valueAt = Fn(([cell]: [Cell]) => {
    const value = float(0).toVar();
    ofShown(served, (each) => {
      value.assign(each.value(nodesAt(cell)));
    });
    return value;
  });

  /** Height in the scene of an elevation in metres. */
  const heightOf = (z: Scalar): Scalar => {
    const { x: knee, y: near, z: below, w: above } = scale;
    return near
      .mul(clamp(z, knee.negate(), knee))
      .add(below.mul(min(z.add(knee), float(0))))
      .add(above.mul(max(z.sub(knee), float(0))));
  };
  /**
   * Lift (m) and depth (m) at a vertex of the water. A dry cell beside wet ones takes the level of these, and as its depth how
   * far its bed lies above that level, below zero: so the shore runs where the level meets the bed, and not along cells.
   */
  const levelAt = Fn(([cell]: [Cell]) => {
    const level = vec2(liftAt(cell), depthAt(cell)).toVar();
    If(level.y.lessThan(dry), () => {
      const sum = vec3(0).toVar();
      // Where the processor draws, the body of a skipped branch is executed all the same, but not that of a loop without iterations.
      const around = select(level.y.lessThan(dry), int(9), int(0));
      Loop({ start: int(0), end: around, type: 'int', condition: '<' }, ({ i }) => {
        const near = ivec2(
          edge(cell.x.add(i.mod(int(3)).sub(int(1))), nx, periodicX),
          edge(cell.y.add(i.div(int(3)).sub(int(1))), ny, periodicY),
        ).toVar();
        If(depthAt(near).greaterThan(dry), () => {
          sum.addAssign(vec3(liftAt(near), load('eta', near), float(1)));
        });
      });
      level.assign(vec2(0, -1));
      If(sum.z.greaterThan(0), () => {
        const { z: count } = sum;
        level.assign(vec2(sum.x.div(count), sum.y.div(count).sub(load('bed', cell)).min(float(0))));
      });
    });
    return level;
  });

  const surfaceHeight = (cell: Cell): Scalar => heightOf(liftAt(cell));
  const bedHeight = (cell: Cell): Scalar => heightOf(load('bed', cell));

  /**
   * The smooth surface through the heights of 3 × 3 cells, a quadratic B-spline, at a place in cells: its slopes eastward and
   * northward, the sum of its second derivatives, and its height, in the scene's units.
   */
  const bendOf = (height: (cell: Cell) => Scalar) =>
    Fn(([place]: [Node<'vec2'>]) => {
      const middle = round(place).toVar();
      const off = place.sub(middle).toVar();
      const sum = vec4(0).toVar();
      Loop({ start: int(0), end: int(9), type: 'int', condition: '<' }, ({ i }) => {
        const [east, north] = [i.mod(int(3)).sub(int(1)), i.div(int(3)).sub(int(1))];
        const cell = ivec2(
          edge(int(middle.x).add(east), nx, periodicX),
          edge(int(middle.y).add(north), ny, periodicY),
        ).toVar();
        const [x, slopeX, curveX] = spline(float(east), off.x);
        const [y, slopeY, curveY] = spline(float(north), off.y);
        const { cellX, cellZ } = extent;
        const weights = vec4(
          slopeX.mul(y).div(cellX),
          x.mul(slopeY).div(cellZ),
          curveX
            .mul(y)
            .div(cellX ** 2)
            .add(x.mul(curveY).div(cellZ ** 2)),
          x.mul(y),
        );
        sum.addAssign(weights.mul(height(cell)));
      });
      return sum;
    });
  const surfaceBend = bendOf(surfaceHeight);
  const bedBend = bendOf(bedHeight);
  /** Height of the surface between four cells. */
  const heightBetween = Fn(([place]: [Node<'vec2'>]) => {
    const corner = floor(place).toVar();
    const off = place.sub(corner).toVar();
    const at = (east: number, north: number): Scalar =>
      surfaceHeight(
        ivec2(edge(int(corner.x).add(int(east)), nx, periodicX), edge(int(corner.y).add(int(north)), ny, periodicY)),
      );
    return mix(mix(at(0, 0), at(1, 0), off.x), mix(at(0, 1), at(1, 1), off.x), off.y);
  });

  /** Upward normal of a height over the grid, from its neighbours. */
  const normalOf = (height: (cell: Cell) => Scalar, cell: Cell): Node<'vec3'> => {
    const slopeX = height(beside(cell, 1, 0))
      .sub(height(beside(cell, -1, 0)))
      .div(2 * extent.cellX);
    const slopeY = height(beside(cell, 0, 1))
      .sub(height(beside(cell, 0, -1)))
      .div(2 * extent.cellZ);
    if (!isRing) return normalize(vec3(slopeX.negate(), float(1), slopeY));
    // Along the ring, clockwise from the north.
    const angle = float(cell.x).mul((2 * Math.PI) / nx);
    return normalize(vec3(slopeX.mul(cos(angle)).negate(), float(1), slopeX.mul(sin(angle)).negate()));
  };

  return {
    planes,
    uniforms,
    depthAt,
    levelAt: (cell: Cell): Node<'vec2'> => levelAt(cell),
    heightOf,
    valueAt: (cell: Cell): Scalar => valueAt(cell),
    surfaceHeight,
    bedHeight,
    extent,
    surfaceBend: (place: Node<'vec2'>): Node<'vec4'> => surfaceBend(place),
    bedBend: (place: Node<'vec2'>): Node<'vec4'> => bedBend(place),
    heightBetween: (place: Node<'vec2'>): Scalar => heightBetween(place),
    /** Height of the surface in the cell around a place: a quarter of the reads. */
    heightNear: (place: Node<'vec2'>): Scalar => {
      const cell = round(place);
      return surfaceHeight(ivec2(edge(int(cell.x), nx, periodicX), edge(int(cell.y), ny, periodicY)));
    },
    /** @returns a place in cells. @param at scene x and z */
    placeAt: (at: Node<'vec2'>): Node<'vec2'> =>
      vec2(at.x.add(extent.x).div(extent.cellX), float(extent.z).sub(at.y).div(extent.cellZ)).sub(0.5),
    bedAt: (cell: Cell): Scalar => load('bed', cell),
    /** What an analysis changes, m, while it is lit up. */
    incrementAt: (cell: Cell): Scalar => load('increment', cell),
    normalOf,
    setPlane(name: PlaneName, value: Texture): void {
      planes[name].value = value;
    },
  };
}

export type FieldNodes = ReturnType<typeof createFieldNodes>;
