// Charted depths for bins, from the archives of a build: the least depth of the area, land, and
// soundings in water that the chart states to be well surveyed.

/** What the chart states for one finest bin. */
export interface ChartedDepth {
  readonly isLand: boolean;
  /** Least charted depth of the bin, metres; undefined if unknown. */
  readonly depth?: number | undefined;
  /** 95 % uncertainty of charted depths there (S-57 Appendix A, CATZOC), metres. */
  readonly uncertainty: number;
  /** A charted sounding in the bin, in water of category A1 or A2. */
  readonly sounding?: number | undefined;
}

/** Charted depths of the bins of a prepared area. */
export interface ChartDepths {
  /** Identity of the charts: if it changes, all bins are compared again. */
  readonly buildId: string;
  /** Reads what `at` needs for a box of finest bins. */
  prepare(box: BinBox): Promise<void>;
  /** @returns undefined where there is no chart */
  at(x: number, y: number): ChartedDepth | undefined;
}

/** Finest bins from the first to before the last column and row. */
export interface BinBox {
  readonly fromX: number;
  readonly fromY: number;
  readonly endX: number;
  readonly endY: number;
}

/** 95 % uncertainty of depths by CATZOC: metres, and share of the depth. */
const ZONES: Readonly<Record<string, readonly [number, number]>> = {
  A1: [0.5, 0.01],
  A2: [1, 0.02],
  B: [1, 0.02],
  C: [2, 0.05],
};
const UNASSESSED = [3, 0.1] as const;

/** @param zone name of the zone of confidence, such as `A1` */
export function uncertaintyOf(zone: string | undefined, depth: number): number {
  const [meters, share] = ZONES[zone ?? ''] ?? UNASSESSED;
  return meters + share * Math.max(0, depth);
}

/** Zones whose soundings set the zero of the platforms. */
export const isSurveyed = (zone: string | undefined): boolean => zone === 'A1' || zone === 'A2';
