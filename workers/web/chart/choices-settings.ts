// The page's choices as the settings of a saved style, and back.

import { attributeText } from '../client/chart/parameters.ts';
import { CHOICES, type Chosen, typedValue } from './choices.ts';
import type { SavedStyle } from './portal.ts';

/** Every choice but the theme, which a style keeps as what it starts from. */
const SETTINGS = CHOICES.filter(({ name }) => name !== 'theme');

type Setting = ReturnType<typeof typedValue>;

/** All of them, also those that are as usual: a style must not change when a default does. */
export function settingsOf(chosen: Chosen): Record<string, Setting> {
  return Object.fromEntries(
    SETTINGS.map((choice): [string, Setting] => {
      const { name, otherwise } = choice;
      return [name, typedValue(choice, chosen[name] ?? otherwise)];
    }),
  );
}

/** What a style means for the form: its settings, and the usual where it says nothing. */
export function chosenOf({ baseTheme, parameters }: SavedStyle): Chosen {
  const { settings } = parameters;
  const said = SETTINGS.map(({ name, otherwise }) => [
    name,
    attributeText(settings[name]) ?? otherwise,
  ]);
  return { ...Object.fromEntries(said), theme: baseTheme };
}
