/** What `shoal explain` says of impacts: a sentence, tables by network and region, the observations that changed most. */
import Table from 'cli-table3';
import {
  describeImpact,
  impactSums,
  networkNames,
  regionOf,
  type ImpactSum,
  type ObservationImpact,
  type Scenario,
  type SpokenMethod,
} from '../../../engine/index.ts';
import { formatCsv } from '../../format/csv.ts';
import { impactTable } from '../../format/impact-table.ts';
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
  const table = new Table({
    head: [...head, unit === '' ? 'impact' : `impact (${unit})`],
    style: { head: [], border: [] },
    // No rule between two rows.
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const row of rows) table.push(row);
  return table.toString();
}

function sumTable(title: string, sums: readonly ImpactSum[], unit: string): string {
  const rows = sums.map(({ group, count, helped, impact }) => [group, count, helped, signed(impact)]);
  return tableOf([title, 'observations', 'help'], unit, rows);
}

export function reportImpact(
  method: SpokenMethod,
  methods: readonly SpokenMethod[],
  impact: ObservationImpact,
  scenario: Scenario,
  file: string,
): ReportedImpact {
  const { impacts, observations, unit, cycle, lead, verification, error, errorBefore } = impact;
  const { x, y, network, variable, isUsed, innovation } = observations;
  const names = networkNames(scenario);
  const byNetwork = impactSums(impact, (j) => names[network[j]]);
  const byRegion = impactSums(impact, (j) => regionOf(x[j], y[j], scenario.grid));
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
    tables: order.length === 0 ? [] : tables,
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
