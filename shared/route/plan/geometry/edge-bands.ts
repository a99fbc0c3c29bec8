// Whether positions lie within rings, for many positions: edges are sorted into narrow bands, across which the
// ray of a position runs.

import type { Corridor } from './corridor.ts';

/** Bands across the rings. */
const BANDS = 512;

/** An edge with its coordinates along the ray (u) and across it (v). */
interface Edge {
  readonly au: number;
  readonly av: number;
  readonly bu: number;
  readonly bv: number;
}

interface Bands {
  readonly least: number;
  readonly width: number;
  readonly edges: readonly (readonly Edge[])[];
  /** Number of edges in all bands. */
  readonly total: number;
}

export class EdgeBands {
  readonly #isByRows: boolean;
  readonly #bands: Bands;
  /** Number of edges compared with positions: a measure of work. */
  compared = 0;

  /** @param edges of all rings; positions within an odd number of rings are inside */
  constructor(edges: readonly Corridor[]) {
    const rows = bandsOf(edges.map(({ ax, ay, bx, by }) => ({ au: ax, av: ay, bu: bx, bv: by })));
    const columns = bandsOf(
      edges.map(({ ax, ay, bx, by }) => ({ au: ay, av: ax, bu: by, bv: bx })),
    );
    this.#isByRows = rows.total <= columns.total;
    this.#bands = this.#isByRows ? rows : columns;
  }

  /** Whether a position that is on no edge is inside. */
  isInside(x: number, y: number): boolean {
    const u = this.#isByRows ? x : y;
    const v = this.#isByRows ? y : x;
    const { least, width, edges } = this.#bands;
    const band = edges[Math.floor((v - least) / width)] ?? [];
    this.compared += band.length;
    let isInside = false;
    for (const { au, av, bu, bv } of band) {
      if (av > v !== bv > v && u < au + ((v - av) / (bv - av)) * (bu - au)) isInside = !isInside;
    }
    return isInside;
  }
}

function bandsOf(edges: readonly Edge[]): Bands {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { av, bv } of edges) {
    least = Math.min(least, av, bv);
    most = Math.max(most, av, bv);
  }
  const width = Math.max((most - least) / BANDS, Number.MIN_VALUE);
  const bands: Edge[][] = Array.from({ length: BANDS + 1 }, () => []);
  let total = 0;
  for (const edge of edges) {
    const bandOf = (v: number) => Math.min(BANDS, Math.floor((v - least) / width));
    const last = bandOf(Math.max(edge.av, edge.bv));
    for (let at = bandOf(Math.min(edge.av, edge.bv)); at <= last; at++, total++)
      bands[at]!.push(edge);
  }
  return { least, width, edges: bands, total };
}
