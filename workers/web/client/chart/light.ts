// The light that what stands around a chart is made for.

/** Themes that are lit as another of the three of S-52. */
const LIGHTS: Readonly<Record<string, string>> = { 'night-bright': 'night', yacht: 'day' };

/** `day`, `dusk` or `night` for a theme: around a bright night it is as dark as around a dark one. */
export const lightOf = (theme: string): string => LIGHTS[theme] ?? theme;
