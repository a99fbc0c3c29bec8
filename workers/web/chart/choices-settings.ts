// Converts between the display choices and the settings of a saved style.

import { attributeText } from '../client/chart/parameters.ts';
import { CHOICES, type Chosen, typedValue } from './choices.ts';
import type { StyleDraft } from './saved-style.ts';

/** All choices except the theme, which a saved style stores as `baseTheme`. */
export const SETTINGS = CHOICES.filter(({ name }) => name !== 'theme');

type Setting = ReturnType<typeof typedValue>;

/** Returns all settings, including defaults: a saved style must not change when a default changes. */
export function settingsOf(chosen: Chosen): Record<string, Setting> {
  return Object.fromEntries(
    SETTINGS.map((choice): [string, Setting] => {
      const { name, otherwise } = choice;
      return [name, typedValue(choice, chosen[name] ?? otherwise)];
    }),
  );
}

/** Values that base.json uses for absent settings, if they differ from the defaults of the chart page. */
const ABSENT: Chosen = { showUserReports: 'false' };

/** Returns the choices of a saved style. Settings that the style lacks have the default of base.json. */
export function chosenOf({ baseTheme, parameters }: Omit<StyleDraft, 'name'>): Chosen {
  const { settings } = parameters;
  const entries = SETTINGS.map(({ name, otherwise }) => [
    name,
    attributeText(settings[name]) ?? ABSENT[name] ?? otherwise,
  ]);
  return { ...Object.fromEntries(entries), theme: baseTheme };
}
