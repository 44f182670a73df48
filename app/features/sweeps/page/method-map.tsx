/** Which method is best where: a cell has the hue of the one that is better than each of the others, and none if no difference is significant. */
import { useMemo } from 'preact/hooks';
import { useLaboratory } from '../../../page/laboratory.ts';
import type { MethodStyle } from '../../../document/views/method-style.ts';
import type { Arrangement } from '../arrangement.ts';
import { contestLines, contestWord } from '../contest.ts';
import type { Contest } from '../contest.ts';
import type { Paint } from '../heat-shapes.ts';
import { sweepStyles } from '../methods.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { combinationWords } from '../words.ts';
import { needsDarkInk } from '../worth.ts';
import { CellGrid } from './cell-grid.tsx';
import type { LegendRoom } from './cell-grid.tsx';
import { LegendMarks, placeMarks } from './heat-legend.tsx';
import type { LegendMark } from './heat-legend.tsx';
import { sweepsOf } from '../sweeps-state.ts';

interface MethodMapProps {
  readonly table: SweepTable;
  readonly arrangement: Arrangement;
  readonly contests: readonly Contest[];
  readonly onOpen: (combination: number) => void;
}

function isDarkInkOn(hex: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return needsDarkInk(red, green, blue);
}

function paintsOf(contests: readonly Contest[], styles: readonly MethodStyle[], theme: 'dark' | 'light'): Paint[] {
  return contests.map((contest) => {
    const { leader, verdict } = contest;
    const isNamed = verdict === 'won' || verdict === 'alone';
    const colour = isNamed && leader !== undefined ? styles[leader][theme] : undefined;
    return {
      ink: colour === undefined ? undefined : { colour, dark: isDarkInkOn(colour) },
      text: contestWord(contest, styles),
      hatched: 0,
    };
  });
}

export function MethodMap({ table, arrangement, contests, onOpen }: MethodMapProps) {
  const {
    preferences: { resolvedTheme },
  } = useLaboratory();
  const { combinations } = sweepsOf(useLaboratory());
  const styles = useMemo(() => sweepStyles(table), [table]);
  const theme = resolvedTheme.value;
  const paints = useMemo(() => paintsOf(contests, styles, theme), [contests, styles, theme]);
  const named = new Set(
    contests.flatMap(({ leader, verdict }) => (verdict === 'won' || verdict === 'alone' ? [leader] : [])),
  );
  const marks: LegendMark[] = [
    ...styles.flatMap(({ title, ...style }, method) =>
      named.has(method) ? [{ kind: 'colour', words: `${title} is best`, colour: style[theme] } as const] : [],
    ),
    ...(contests.some(({ verdict }) => verdict === 'undecided')
      ? [{ kind: 'empty', words: 'undecided: not better than each of the others' } as const]
      : []),
    ...(contests.some(({ verdict }) => verdict === 'too-few')
      ? [{ kind: 'empty', words: 'too few seeds to say' } as const]
      : []),
  ];
  const axes = [arrangement.x, arrangement.y].flatMap((axis) => axis?.title ?? []).join(' and ');
  return (
    <CellGrid
      summary={`Which method is best by ${axes || 'nothing'}: ${[...named].map((method) => (method === undefined ? '' : `${styles[method].title} in ${contests.filter(({ leader, verdict }) => leader === method && verdict === 'won').length}`)).join(', ') || 'none is named in any'} of ${contests.length} cells.`}
      arrangement={arrangement}
      paints={paints}
      legend={(room) => <MethodLegend {...room} marks={marks} />}
      legendEm={(widthEm) => placeMarks(marks, widthEm).height + 0.2}
      wordsOf={(combination) =>
        [
          combinationWords(table, combinations.value[combination]),
          contestWord(contests[combination], styles),
          ...contestLines(contests[combination], styles, ''),
        ].join('; ')
      }
      onOpen={onOpen}
    />
  );
}

function MethodLegend({ marks, width, em, hatch }: LegendRoom & { readonly marks: readonly LegendMark[] }) {
  return (
    <g aria-hidden="true">
      <LegendMarks marks={placeMarks(marks, width / em).marks} origin={{ x: 0, y: 0.2 * em }} em={em} hatch={hatch} />
    </g>
  );
}
