// Names of places, and names that are used to report positions at sea. They are shown and hidden separately.

/**
 * Object classes whose names are names of places: land, towns and buildings. Names of waters, zones and harbour
 * works are not included, because they are used to report positions.
 */
export const PLACE_CLASSES: readonly string[] =
  'LNDARE LNDRGN BUAARE LNDMRK BUISGL SILTNK FORSTC AIRARE RUNWAY PRDARE SQUARE SLOGRD VEGATN ICEARE'.split(
    ' ',
  );
