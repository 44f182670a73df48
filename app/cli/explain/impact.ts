/**
 * What `shoal explain` says of impacts: a sentence, tables by network and region, of the cycle and of the mean over several, and the
 * observations that changed most.
 */
import { formatTable } from '../table.ts';
import { describeImpact, impactMeans, impactSums, networkNames, regionOf } from '../../../engine/index.ts';
import type { ImpactMean, ImpactSum, ObservationImpact, Scenario, SpokenMethod } from '../../../engine/index.ts';
import { formatCsv, impactTable } from '../../format/tables.ts';
import { signed } from './report.ts';

/** Observations that are named, of those that help most and of those that harm most. */
const NAMED = 5;

export interface ReportedImpact {
  readonly words: string;
  readonly tables: readonly string[];
  readonly document: object;
  /** Name of the table's file, and the table. */
  readonly file: string;
  readonly csv: string;
}

function tableOf(head: readonly string[], unit: string, rows: readonly (string | number)[][]): string {
  return formatTable([...head, unit === '' ? 'impact' : `impact (${unit})`], rows, { compact: true });
}

function sumTable(title: string, sums: readonly ImpactSum[], unit: string): string {
  const rows = sums.map(({ group, count, helped, impact }) => [group, count, helped, signed(impact)]);
  return tableOf([title, 'observations', 'help'], unit, rows);
}

/** Impacts of one cycle, summed. */
export interface CycleSums {
  readonly cycle: number;
  readonly byNetwork: readonly ImpactSum[];
  readonly byRegion: readonly ImpactSum[];
}

export function cycleSums(impact: ObservationImpact, scenario: Scenario): CycleSums {
  const { x, y, network } = impact.observations;
  const names = networkNames(scenario);
  return {
    cycle: impact.cycle,
    byNetwork: impactSums(impact, (j) => names[network[j]]),
    byRegion: impactSums(impact, (j) => regionOf(x[j], y[j], scenario.grid)),
  };
}

function meanTable(title: string, means: readonly ImpactMean[], unit: string): string {
  const rows = means.map(({ group, count, helped, impact, standardError }) => [
    group,
    count,
    helped,
    standardError === undefined ? '' : Number(standardError.toPrecision(2)),
    signed(impact),
  ]);
  return tableOf([title, 'observations', 'help', 'standard error'], unit, rows);
}

/** @param cycles two or more, in order. @returns the means over them as tables, and as the document has them */
function meansOver(cycles: readonly CycleSums[], unit: string) {
  const [from, to] = [cycles[0].cycle, cycles[cycles.length - 1].cycle];
  const byNetwork = impactMeans(cycles.map((each) => each.byNetwork));
  const byRegion = impactMeans(cycles.map((each) => each.byRegion));
  return {
    tables: [
      `Means over the cycles ${from} to ${to}:`,
      meanTable('network', byNetwork, unit),
      meanTable('region', byRegion, unit),
    ],
    document: { from, to, byNetwork, byRegion },
  };
}

/** @param earlier sums of the cycles before, in order, where means over them are asked for */
export function reportImpact(
  method: SpokenMethod,
  methods: readonly SpokenMethod[],
  impact: ObservationImpact,
  scenario: Scenario,
  file: string,
  earlier: readonly CycleSums[] = [],
): ReportedImpact {
  const { impacts, observations, unit, cycle, lead, verification, error, errorBefore } = impact;
  const { x, y, network, variable, isUsed, innovation } = observations;
  const names = networkNames(scenario);
  const sums = cycleSums(impact, scenario);
  const { byNetwork, byRegion } = sums;
  const means = earlier.length === 0 ? undefined : meansOver([...earlier, sums], unit);
  const words = describeImpact(method, methods, impact);
  const order = Array.from(impacts.keys())
    .filter((j) => isUsed[j])
    .sort((a, b) => impacts[a] - impacts[b]);
  const ends = [...new Set([...order.slice(0, NAMED), ...order.slice(-NAMED)])];
  const named = ends.map((j) => {
    const at = `${Number(x[j].toPrecision(4))}, ${Number(y[j].toPrecision(4))}`;
    return [`${j} ${variable[j]}`, names[network[j]], at, signed(impacts[j])];
  });
  const tables = [
    sumTable('network', byNetwork, unit),
    sumTable('region', byRegion, unit),
    tableOf(['observation', 'network', 'at'], unit, named),
  ];
  return {
    words,
    tables: [...(order.length === 0 ? [] : tables), ...(means?.tables ?? [])],
    document: {
      method: method.label,
      kind: method.kind,
      cycle,
      lead,
      verification,
      unit,
      errorBefore,
      error,
      words,
      byNetwork,
      byRegion,
      ...(means && { means: means.document }),
      observations: Array.from(impacts, (value, index) => ({
        index,
        network: names[network[index]],
        variable: variable[index],
        x: x[index],
        y: y[index],
        used: isUsed[index],
        innovation: innovation[index],
        impact: value,
      })),
    },
    file,
    csv: formatCsv(impactTable([{ title: method.label, impact }], names)),
  };
}
