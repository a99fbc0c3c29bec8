// Object classes that SCAMIN does not keep out of the vector tiles: the display base, as S-52 PresLib
// names it, and dangers, which a mariner's safety contour may make isolated ones.

export const ALWAYS_DRAWN_CLASSES: ReadonlySet<string> = new Set(
  (
    'DEPARE DRGARE UNSARE LNDARE COALNE SLCONS DAMCON DYKCON CAUSWY BRIDGE CBLOHD PIPOHD CONVYR ' +
    'PYLONS PONTON FLODOC HULKES GATCON OFSPLF UWTROC OBSTRN WRECKS'
  ).split(' '),
);
