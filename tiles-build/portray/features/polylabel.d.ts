// The part of `polylabel` 2 that is used here; the package ships no types.

declare module 'polylabel' {
  /** Point of greatest distance from a polygon's rings, within `precision`. */
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default function polylabel(
    polygon: readonly (readonly (readonly [number, number])[])[],
    precision?: number,
  ): [number, number] & { distance: number };
}
