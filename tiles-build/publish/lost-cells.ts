// Finds charts that a new build would remove. `charts sync` checks this before it publishes a build
// automatically.

import type { Manifest } from '../../shared/chart/manifest.ts';

type Cells = { readonly cells: readonly Pick<Manifest['cells'][number], 'name' | 'status'>[] };

/**
 * Names of cells in force that the current build shows and the next build does not.
 *
 * @param inForce whether the producer still offers a cell
 */
export function lostCells(
  current: Cells,
  next: Cells,
  inForce: (name: string) => boolean,
): readonly string[] {
  const shown = ({ cells }: Cells) =>
    cells.filter(({ status }) => status === 'used' || status === 'used-partly');
  const stay = new Set(shown(next).map(({ name }) => name));
  const cancelled = new Set(
    next.cells.filter(({ status }) => status === 'cancelled').map(({ name }) => name),
  );
  return shown(current)
    .map(({ name }) => name)
    .filter((name) => !stay.has(name) && !cancelled.has(name) && inForce(name));
}
