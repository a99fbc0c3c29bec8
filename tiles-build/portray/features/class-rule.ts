// What a table of object classes says: which parts of an object are drawn, and what its attributes
// decide. The themes (depths, ground, structures, aids, dangers, areas) each hold one such table.

import type { PatternName, SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { PropertyKey } from '../../../shared/chart/tile-properties.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import type { ChartContext } from './chart-context.ts';
import type { PropertyValue } from './drawable.ts';

/** What a rule decides for one object; undefined values are left out. */
export type Decision = {
  readonly [K in Exclude<PropertyKey, 'sy' | 'sp' | 'pt'>]?: PropertyValue | undefined;
} & {
  readonly sy?: SymbolName | undefined;
  readonly sp?: SymbolName | undefined;
  readonly pt?: PatternName | undefined;
};

/**
 * Parts of an object that are drawn. By its primitive: `point`, `line`, `fill` (the polygon),
 * `patterned` (the polygon only where a pattern was decided), `outline` (drawable boundary lines),
 * `symbol` (one AREASYM point of the whole area if it has a symbol, name or text), `middle` (the
 * same for a line), `center` (one point in the class's own layer, for an area).
 */
export type Part =
  | 'point'
  | 'line'
  | 'fill'
  | 'patterned'
  | 'outline'
  | 'symbol'
  | 'middle'
  | 'center';

export interface ClassRule {
  readonly parts: readonly Part[];
  /** Display base: never hidden by SCAMIN. */
  readonly base?: boolean;
  readonly decide?: (attributes: Attributes, feature: Feature, chart: ChartContext) => Decision;
}

export type RuleTable = Readonly<Record<string, ClassRule>>;

/** The same rule for several classes. */
export function rulesFor(classes: string, rule: ClassRule): RuleTable {
  return Object.fromEntries(classes.split(' ').map((acronym) => [acronym, rule]));
}
