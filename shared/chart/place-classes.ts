// Names of places and names by which positions at sea are reported: the two are shown and hidden apart.

/**
 * Object classes whose names are names of places: land, towns, and what stands there. Names of waters,
 * zones and harbour works are none: positions are reported by them.
 */
export const PLACE_CLASSES: readonly string[] =
  'LNDARE LNDRGN BUAARE LNDMRK BUISGL SILTNK FORSTC AIRARE RUNWAY PRDARE SQUARE SLOGRD VEGATN ICEARE'.split(
    ' ',
  );
