// Types for the part of `topojson-client` that is used; the package contains none.

declare module 'topojson-client' {
  /** GeoJSON of one object of a topology. */
  export function feature(topology: unknown, object: unknown): unknown;
}
