// The part of `topojson-client` that is used here; the package ships no types.

declare module 'topojson-client' {
  /** GeoJSON of one object of a topology. */
  export function feature(topology: unknown, object: unknown): unknown;
}
