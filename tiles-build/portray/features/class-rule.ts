// The rule of an object class: which parts of an object are drawn, and what its attributes decide.
// Each theme (depths, ground, structures, aids, dangers, areas) has a table of rules.

import type { PatternName, SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { PropertyKey } from '../../../shared/chart/tile-properties.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import type { ChartContext } from './chart-context.ts';
import type { PropertyValue } from './drawable.ts';

/** Properties that a rule decides for one object; `undefined` values are left out. */
export type Decision = {
  readonly [K in Exclude<PropertyKey, 'sy' | 'sp' | 'pt'>]?: PropertyValue | undefined;
} & {
  readonly sy?: SymbolName | undefined;
  readonly sp?: SymbolName | undefined;
  readonly pt?: PatternName | undefined;
};

/**
 * Parts of an object that are drawn, depending on its primitive: `point`, `line`, `fill` (the
 * polygon), `patterned` (the polygon, if the rule decided a pattern), `outline` (drawable boundary
 * lines), `symbol` (one AREASYM point for an area that has a symbol, name or text), `middle` (the
 * same for a line), `center` (one point in the layer of the class, for an area or a line without
 * `middle`).
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
  readonly isDisplayBase?: boolean;
  readonly decide?: (attributes: Attributes, feature: Feature, chart: ChartContext) => Decision;
}

export type RuleTable = Readonly<Record<string, ClassRule>>;

/** The same rule for several classes, separated by spaces. */
export function rulesFor(classes: string, rule: ClassRule): RuleTable {
  return Object.fromEntries(classes.split(' ').map((acronym) => [acronym, rule]));
}
