// The colour scheme for the page around the chart.

/** Themes that use the colour scheme of one of the three S-52 themes. */
const LIGHTS: Readonly<Record<string, string>> = { 'night-bright': 'night', yacht: 'day' };

/** Returns `day`, `dusk` or `night` for a theme. */
export const lightOf = (theme: string): string => LIGHTS[theme] ?? theme;
