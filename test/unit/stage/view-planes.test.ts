/** What the views are given to draw: one texture for one plane, and never one for two that differ. */
import { expect, test } from 'vitest';
import type { Texture } from 'three/webgpu';
import type { Blend, FieldTextures } from '../../../app/stage/field-textures.ts';
import { momentOf } from '../../../app/stage/passage.ts';
import type { StageModel } from '../../../app/stage/stage-model.ts';
import type { ViewPlace } from '../../../app/stage/view-grid.ts';
import { createViewPlanes } from '../../../app/stage/view-scene.ts';
import type { ViewScene } from '../../../app/stage/view-scene.ts';
import type { Plane } from '../../../engine/index.ts';
import type { FieldId } from '../../../app/fields/fields.ts';
import { transitBetween } from '../../../app/document/run/history.ts';
import { motionOf, snapshotOf } from '../document/run/fake-run.ts';

/** Textures that are their names, and what each was filled with, in turn. */
function recordingTextures() {
  const filled = new Map<string, (Plane | Blend | undefined)[]>();
  const textures: FieldTextures = {
    get(name, content) {
      filled.set(name, [...(filled.get(name) ?? []), content]);
      return name as unknown as Texture;
    },
    dispose: () => undefined,
  };
  return { textures, filled };
}

function recordingScene() {
  const planes = new Map<string, unknown>();
  const scene = {
    setPlane: (name: string, texture: Texture) => void planes.set(name, texture),
    setGlow: () => undefined,
  } as unknown as ViewScene;
  return { scene, planes };
}

test('the last increment is beside water that continues, each from a texture of its own', () => {
  const [from, to] = [snapshotOf(0), snapshotOf(1)];
  const transit = transitBetween(from, to, motionOf(1), 1000, 0);
  if (!transit) throw new Error('there is no way');
  const { textures, filled } = recordingTextures();
  const planes = createViewPlanes(textures);
  const model = { phase: 'analysis', snapshot: from, subjects: [] } as unknown as StageModel;
  const shown = (field: FieldId): Map<string, unknown> => {
    const { scene, planes: set } = recordingScene();
    planes.move({ field, subject: 'letkf' } as ViewPlace, scene, model, transit, momentOf(transit, 300), 1);
    return set;
  };
  const [water, increment] = [shown('surface'), shown('increment')];
  const [start] = from.methods;
  expect(increment.get('eta')).not.toBe(water.get('eta'));
  expect(filled.get(String(increment.get('eta')))).toStrictEqual([start?.analysis.eta]);
  expect(filled.get(String(increment.get('forecastEta')))).toStrictEqual([start?.forecast.eta]);
  expect(filled.get(String(water.get('eta')))?.[0]).toMatchObject({ weightA: expect.closeTo(0.54, 1) });
});
