// Charts that a new build would take from the people who look at them: the check between building and
// publishing by itself, when no person looks at the build's problems.

import type { Manifest } from '../../shared/chart/manifest.ts';

type Cells = Pick<Manifest, 'cells'>;

/**
 * Names of cells that the current build shows and a new one does not, though they are in force.
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
