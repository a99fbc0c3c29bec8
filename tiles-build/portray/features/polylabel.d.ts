// Types for the part of `polylabel` 2 that is used here; the package has no types.

declare module 'polylabel' {
  /** The point farthest from a polygon's rings, within `precision`. */
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default function polylabel(
    polygon: readonly (readonly (readonly [number, number])[])[],
    precision?: number,
  ): [number, number] & { distance: number };
}
