// The editor of saved styles: name, base theme, colours and the current display choices. Changes show on
// the chart at once.

import { BASE_THEMES, type BaseTheme } from '../../../shared/style/options.ts';
import { lightOf } from '../client/chart/light.ts';
import type { SavedStylesApi } from '../client/saved-styles.ts';
import type { SavedStyle } from '../client/wire.ts';
import type { Chosen } from './choices.ts';
import { chosenOf, settingsOf } from './choices-settings.ts';
import { downloadText } from './parts/download-text.ts';
import { type StyleDraft, styleErrorText } from './saved-style.ts';
import { type Colors, colorRows } from './style-colors.ts';

interface StyleEditorHandlers {
  readonly styles: SavedStylesApi;
  /** The style in the page link, if any. */
  readonly styleId: string | undefined;
  /** The current display choices. */
  chosen(): Chosen;
  /** Draws the chart with a saved style or none, and with these choices. */
  apply(style: SavedStyle | undefined, chosen: Chosen): void;
  /** Draws the chart with unsaved colours and the settings of the open style. */
  preview(colors: Colors, settings: SavedStyle['parameters']['settings']): void;
}

const THEME_LABELS: Readonly<Record<BaseTheme, string>> = {
  day: 'Day',
  dusk: 'Dusk',
  night: 'Night',
};

/** Fills the form when the `details` element opens, until the saved styles are loaded. */
export function openStyleEditor(
  fold: HTMLDetailsElement,
  form: HTMLFormElement,
  handlers: StyleEditorHandlers,
) {
  const part = <T extends Element>(name: string) => form.elements.namedItem(name) as unknown as T;
  const list = part<HTMLSelectElement>('saved');
  const name = part<HTMLInputElement>('name');
  const theme = part<HTMLSelectElement>('baseTheme');
  const result = part<HTMLOutputElement>('result');
  const colorList = form.querySelector('#style-colors') as HTMLElement;
  let styles: readonly SavedStyle[] = [];
  let open: SavedStyle | undefined;
  let colors: Colors = {};

  theme.replaceChildren(...BASE_THEMES.map((one) => new Option(THEME_LABELS[one], one)));

  const preview = () => handlers.preview(colors, open?.parameters.settings ?? {});

  const showColors = () => {
    const changed = (change: Colors) => {
      const all = { ...colors, ...change };
      colors = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      preview();
    };
    colorList.replaceChildren(...colorRows(theme.value as BaseTheme, colors, changed));
  };

  const showNames = (style: SavedStyle | undefined) => {
    open = style;
    const entries = styles.map((one) => new Option(one.name, one.id, false, one.id === style?.id));
    list.replaceChildren(new Option('None (theme only)', ''), ...entries);
    list.value = style?.id ?? '';
    name.value = style?.name ?? '';
  };

  const show = (style: SavedStyle | undefined) => {
    showNames(style);
    theme.value = style?.baseTheme ?? lightOf(handlers.chosen()['theme'] ?? 'day');
    colors = style?.parameters.colors ?? {};
    for (const word of ['save', 'rename', 'delete']) {
      part<HTMLButtonElement>(word).disabled = style === undefined;
    }
    part<HTMLButtonElement>('delete').textContent = 'Delete';
    showColors();
  };

  const draft = (): StyleDraft => ({
    name: name.value,
    baseTheme: theme.value as BaseTheme,
    parameters: {
      ...open?.parameters,
      colors,
      settings: { ...open?.parameters.settings, ...settingsOf(handlers.chosen()) },
    },
  });

  /** The form is inert until the end of `work`, which shows the fields of a style. */
  const attempt = async (work: () => Promise<string>) => {
    const held = document.activeElement as HTMLElement | null;
    form.inert = true;
    try {
      result.textContent = await work();
    } catch (error) {
      result.textContent = styleErrorText(error);
    }
    form.inert = false;
    // An inert form loses the focus, and the button of a deleted style is disabled.
    if (![held, document.body].includes(document.activeElement as HTMLElement)) return;
    (held?.matches(':disabled') ? list : held)?.focus();
  };

  let isListed = false;
  const loadList = async () => {
    styles = await handlers.styles.list();
    isListed = true;
  };

  const adopt = async (style: SavedStyle | undefined) => {
    await loadList();
    show(style);
    handlers.apply(style, style === undefined ? handlers.chosen() : chosenOf(style));
  };

  const acts: Readonly<Record<string, () => Promise<string>>> = {
    create: async () => {
      const createdStyle = await handlers.styles.create(draft());
      await adopt(createdStyle);
      return `Saved as ${createdStyle.name}.`;
    },
    save: async () => {
      const { name: _, ...change } = draft();
      const saved = await handlers.styles.update(open!.id, change);
      await adopt(saved);
      return `Saved ${saved.name}.`;
    },
    rename: async () => {
      const renamed = await handlers.styles.update(open!.id, { name: name.value });
      await loadList();
      // The form keeps unsaved colours and choices.
      showNames(renamed);
      return `Renamed to ${renamed.name}.`;
    },
    download: async () => {
      downloadText(JSON.stringify(draft(), null, 2), `${name.value}.json`, 'application/json');
      return `Downloaded ${name.value}.json. A self-hosted service loads it from provisioning/styles.`;
    },
    delete: async () => {
      const gone = open!;
      await handlers.styles.delete(gone.id);
      await adopt(undefined);
      return `Deleted ${gone.name}.`;
    },
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const word = (event.submitter as HTMLButtonElement | null)?.name ?? 'create';
    const act = acts[word];
    if (act !== undefined) void attempt(act);
  });
  // The form's first button, which Enter presses, creates a style.
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || open === undefined) return;
    event.preventDefault();
    form.requestSubmit(part<HTMLButtonElement>('rename'));
  });
  const remove = part<HTMLButtonElement>('delete');
  remove.addEventListener('click', (event) => {
    // The second click of a double click confirms nothing.
    if (remove.textContent !== 'Delete' && event.detail <= 1) return;
    event.preventDefault();
    remove.textContent = 'Confirm delete';
    result.textContent = 'Maps that use this style will stop working. Press again to delete it.';
  });
  remove.addEventListener('blur', () => {
    remove.textContent = 'Delete';
  });
  list.addEventListener('change', () => {
    const style = styles.find(({ id }) => id === list.value);
    show(style);
    handlers.apply(style, style === undefined ? handlers.chosen() : chosenOf(style));
    result.textContent = style === undefined ? '' : `Opened ${style.name}.`;
  });
  theme.addEventListener('change', () => {
    handlers.apply(open, { ...handlers.chosen(), theme: theme.value });
    showColors();
    preview();
  });
  fold.addEventListener('toggle', () => {
    if (!fold.open || isListed || form.inert) return;
    result.textContent = 'Loading…';
    void attempt(async () => {
      try {
        await loadList();
      } finally {
        show(styles.find(({ id }) => id === handlers.styleId));
      }
      return '';
    });
  });
}
