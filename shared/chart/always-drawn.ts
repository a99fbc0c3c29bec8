// Object classes that SCAMIN never removes from the vector tiles: the display base of S-52 PresLib, and dangers, which
// the safety contour of a mariner may make isolated.

export const ALWAYS_DRAWN_CLASSES: ReadonlySet<string> = new Set(
  (
    'DEPARE DRGARE UNSARE LNDARE COALNE SLCONS DAMCON DYKCON CAUSWY BRIDGE CBLOHD PIPOHD CONVYR ' +
    'PYLONS PONTON FLODOC HULKES GATCON OFSPLF UWTROC OBSTRN WRECKS'
  ).split(' '),
);
