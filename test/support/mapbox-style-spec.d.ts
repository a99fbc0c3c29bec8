// The one part of the package that the tests call; it comes without types.

declare module '@mapbox/mapbox-gl-style-spec' {
  export function validate(style: object): { readonly message: string }[];
}
