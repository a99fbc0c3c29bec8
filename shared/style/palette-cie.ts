// CIE 1931 chromaticity x, y and luminance L (cd/m2) of each S-52 colour token for day, dusk and night (IHO S-52
// Annex A, colour tables). palette.ts uses them.

/** x, y, L for day, dusk and night. */
export type CieTriple = readonly [CieColor, CieColor, CieColor];
export type CieColor = readonly [x: number, y: number, luminance: number];

/** A colour that has the same x and y by day, dusk and night. */
const oneHue = (x: number, y: number, day: number, dusk: number, night: number): CieTriple => [
  [x, y, day],
  [x, y, dusk],
  [x, y, night],
];

const MAGENTA: CieTriple = [
  [0.3, 0.17, 20],
  [0.28, 0.24, 18],
  [0.3, 0.17, 2],
];
const FAINT_MAGENTA: CieTriple = [
  [0.28, 0.24, 48],
  [0.3, 0.17, 7],
  [0.3, 0.17, 2],
];

export const S52_CIE_COLORS = {
  NODTA: oneHue(0.28, 0.31, 40, 7, 1.2),
  CURSR: oneHue(0.5, 0.4, 32, 10, 1.25),
  CHBLK: oneHue(0.28, 0.31, 0, 20, 2.5),
  CHGRD: oneHue(0.28, 0.31, 10, 20, 2.5),
  CHGRF: oneHue(0.28, 0.31, 25, 10, 1.25),
  CHRED: oneHue(0.48, 0.3, 25, 10, 1.25),
  CHGRN: oneHue(0.31, 0.56, 60, 20, 2.5),
  CHYLW: oneHue(0.41, 0.49, 70, 24, 3),
  CHMGD: MAGENTA,
  CHMGF: FAINT_MAGENTA,
  CHBRN: oneHue(0.39, 0.43, 30, 8, 1.3),
  CHWHT: oneHue(0.28, 0.31, 80, 36, 5),
  SCLBR: oneHue(0.5, 0.4, 32, 10, 1.25),
  CHCOR: oneHue(0.5, 0.4, 32, 10, 1.25),
  LITRD: oneHue(0.48, 0.3, 25, 10, 1.25),
  LITGN: oneHue(0.31, 0.56, 60, 20, 2.5),
  LITYW: oneHue(0.41, 0.49, 70, 24, 3),
  ISDNG: MAGENTA,
  DNGHL: oneHue(0.48, 0.3, 25, 10, 1.25),
  TRFCD: MAGENTA,
  TRFCF: FAINT_MAGENTA,
  LANDA: oneHue(0.35, 0.39, 50, 5, 0.8),
  LANDF: oneHue(0.45, 0.42, 15, 12, 1.6),
  CSTLN: oneHue(0.28, 0.31, 10, 20, 2.5),
  SNDG1: oneHue(0.28, 0.31, 25, 10, 1.25),
  SNDG2: oneHue(0.28, 0.31, 0, 36, 5),
  DEPSC: oneHue(0.28, 0.31, 10, 20, 2.5),
  DEPCN: oneHue(0.28, 0.31, 25, 10, 1.25),
  DEPDW: oneHue(0.28, 0.31, 80, 0, 0),
  DEPMD: [
    [0.26, 0.29, 65],
    [0.25, 0.29, 1],
    [0.25, 0.29, 0.2],
  ],
  DEPMS: oneHue(0.23, 0.25, 55, 3, 0.4),
  DEPVS: oneHue(0.21, 0.22, 45, 5, 0.8),
  DEPIT: oneHue(0.26, 0.36, 35, 6, 1.2),
  RADHI: oneHue(0.31, 0.56, 60, 20, 2.5),
  RADLO: oneHue(0.31, 0.56, 20, 7, 0.8),
  ARPAT: oneHue(0.26, 0.42, 30, 17, 1.75),
  NINFO: oneHue(0.5, 0.4, 32, 10, 1.25),
  RESBL: oneHue(0.18, 0.15, 22, 10, 1.25),
  ADINF: oneHue(0.41, 0.49, 35, 12, 1.5),
  RESGR: oneHue(0.28, 0.31, 25, 20, 1.25),
  SHIPS: oneHue(0.28, 0.31, 0, 36, 5),
  PSTRK: oneHue(0.28, 0.31, 0, 36, 5),
  SYTRK: oneHue(0.28, 0.31, 25, 10, 1.25),
  PLRTE: oneHue(0.58, 0.35, 18, 8, 0.9),
  APLRT: oneHue(0.5, 0.4, 32, 10, 1.25),
  UINFD: oneHue(0.28, 0.31, 0, 36, 5),
  UINFF: oneHue(0.28, 0.31, 10, 20, 2.5),
  UIBCK: oneHue(0.28, 0.31, 80, 0, 0),
  UIAFD: oneHue(0.21, 0.22, 45, 5, 0.8),
  UINFR: oneHue(0.48, 0.3, 25, 10, 1.25),
  UINFG: oneHue(0.31, 0.56, 60, 20, 2.5),
  UINFO: oneHue(0.5, 0.4, 32, 10, 1.25),
  UINFB: oneHue(0.18, 0.15, 22, 10, 1.25),
  UINFM: MAGENTA,
  UIBDR: oneHue(0.28, 0.31, 10, 20, 2.5),
  UIAFF: [
    [0.35, 0.39, 50],
    [0.45, 0.42, 12],
    [0.45, 0.42, 3.2],
  ],
  OUTLW: oneHue(0.28, 0.31, 0, 0, 0),
  OUTLL: [
    [0.45, 0.42, 15],
    [0.35, 0.39, 5],
    [0.35, 0.39, 0.8],
  ],
  RES01: oneHue(0.28, 0.31, 25, 10, 1.25),
  RES02: oneHue(0.28, 0.31, 25, 10, 1.25),
  RES03: oneHue(0.28, 0.31, 25, 10, 1.25),
  BKAJ1: oneHue(0.28, 0.31, 0.6, 0, 0),
  BKAJ2: oneHue(0.28, 0.31, 1.6, 0.72, 0.1),
  MARBL: oneHue(0.145, 0.14, 20, 17, 1.75),
  MARCY: oneHue(0.2, 0.355, 20, 17, 1.75),
  MARMG: oneHue(0.36, 0.22, 20, 17, 1.75),
  MARWH: oneHue(0.305, 0.344, 20, 17, 1.75),
} as const satisfies Readonly<Record<string, CieTriple>>;
