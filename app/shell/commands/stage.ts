/** What the stage shows: fields, cameras, colour ranges. What needs the stage itself is registered by it. */
import type { Command } from '../../page/commands.ts';
import { FIELDS, fieldIn, hasField, inSentence } from '../../fields/fields.ts';
import type { RunView } from '../../document/run-view.ts';
import type { RangeMode } from '../../document/views/view-state.ts';

const RANGES: readonly { readonly id: RangeMode; readonly title: string }[] = [
  { id: 'auto', title: 'Colour range of each view by itself' },
  { id: 'shared', title: 'Colour range shared by the views of a field' },
  { id: 'locked', title: 'Colour range locked' },
];

/** What can be done with the views. */
export function stageCommands(run: RunView): readonly Command[] {
  const {
    field,
    setField,
    world,
    phase,
    camerasLinked,
    moveCameras,
    showsObservations,
    showsBathymetry,
    rangeMode,
    freeRunCounts,
    probes,
    crossSection,
    clearPins,
  } = run.view;
  return [
    ...FIELDS.map(({ id }, index): Command => ({
      id: `stage.field-${id}`,
      group: 'Stage',
      get title() {
        return `Show ${inSentence(fieldIn(world.value, id).title)}`;
      },
      shortcuts: [String(index + 1)],
      keywords: 'field',
      enabled: () => hasField(world.value, id),
      checked: () => field.value === id,
      run: () => setField(id),
    })),
    {
      id: 'stage.phase',
      group: 'Stage',
      title: 'Forecast in place of analysis',
      shortcuts: ['A'],
      checked: () => phase.value === 'forecast',
      run: () => {
        phase.value = phase.value === 'forecast' ? 'analysis' : 'forecast';
      },
    },
    {
      id: 'stage.link-cameras',
      group: 'Stage',
      title: 'Cameras linked',
      shortcuts: ['L'],
      checked: () => camerasLinked.value,
      run: () => {
        camerasLinked.value = !camerasLinked.value;
      },
    },
    {
      id: 'stage.camera-perspective',
      group: 'Stage',
      title: 'Camera at an angle',
      shortcuts: ['Shift+1'],
      keywords: 'view preset reset',
      run: () => moveCameras('perspective'),
    },
    {
      id: 'stage.camera-top',
      group: 'Stage',
      title: 'Camera from above',
      keywords: 'view preset map',
      run: () => moveCameras('top'),
    },
    { id: 'stage.camera-side', group: 'Stage', title: 'Camera from the side', run: () => moveCameras('side') },
    { id: 'stage.camera-front', group: 'Stage', title: 'Camera from the front', run: () => moveCameras('front') },
    {
      id: 'stage.observations',
      group: 'Stage',
      title: 'Observations',
      shortcuts: ['O'],
      checked: () => showsObservations.value,
      run: () => {
        showsObservations.value = !showsObservations.value;
      },
    },
    {
      id: 'stage.bathymetry',
      group: 'Stage',
      title: 'Bathymetry',
      shortcuts: ['B'],
      enabled: () => !world.value?.isRing,
      checked: () => showsBathymetry.value,
      run: () => {
        showsBathymetry.value = !showsBathymetry.value;
      },
    },
    ...RANGES.map(({ id, title }): Command => ({
      id: `stage.range-${id}`,
      group: 'Stage',
      title,
      checked: () => rangeMode.value === id,
      run: () => {
        rangeMode.value = id;
      },
    })),
    {
      id: 'stage.free-run-counts',
      group: 'Stage',
      title: 'The free run counts in the ranges of errors',
      keywords: 'colour scale increment spread',
      checked: () => freeRunCounts.value,
      run: () => {
        freeRunCounts.value = !freeRunCounts.value;
      },
    },
    {
      id: 'stage.clear-pins',
      group: 'Stage',
      title: 'Remove probes and cross-section',
      enabled: () => probes.value.length > 0 || crossSection.value !== undefined,
      run: clearPins,
    },
  ];
}
