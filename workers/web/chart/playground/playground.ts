// The style playground: tries every style parameter on a live chart, and shows the URL and the style
// document for use in an app. Like the chart page, it stores its state in the URL fragment.

import { setWorkerUrl } from 'maplibre-gl';
import { type BaseTheme, DEFAULT_OPTIONS } from '../../../../shared/style/options.ts';
import { LeadlineChart } from '../../client/chart/leadline-chart.ts';
import { lightOf } from '../../client/chart/light.ts';
import { attributeOf, PARAMETERS } from '../../client/chart/parameters.ts';
import { styleOf } from '../../client/chart/style-of.ts';
import { createClient } from '../../client/client.ts';
import { carryToken } from '../../docs/carry-token.ts';
import { copyFrom } from '../../docs/copy-button.ts';
import { downloadText } from '../parts/download-text.ts';
import { styleErrorText } from '../saved-style.ts';
import { showParameters } from './parameter-form.ts';
import {
  type ChosenValues,
  readStyleParameters,
  type StyleParameter,
  settingsOf,
  styleAddress,
} from './style-parameters.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');
customElements.define('leadline-chart', LeadlineChart);

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const chart = find<LeadlineChart>('chart');
const tell = (text: string, where = 'status') => {
  find(where).textContent = text;
};
/** Runs `work` and shows the message of an error. */
const attempt = async (work: () => Promise<void>, where = 'status') => {
  try {
    await work();
  } catch (error) {
    tell(styleErrorText(error), where);
  }
};

async function open(): Promise<void> {
  const { token = '', ...linked } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const parameters = await readStyleParameters();
  const names = new Set(parameters.map(({ name }) => name));
  let chosenValues: ChosenValues = Object.fromEntries(
    Object.entries(linked).filter(([name]) => names.has(name)),
  );
  chart.token = token;
  carryToken(token);

  const show = () => {
    // The chart shows what the URL returns: base.json has another default theme than the element.
    const isSaved =
      chosenValues['styleId'] !== undefined || chosenValues['styleName'] !== undefined;
    const shown = isSaved ? chosenValues : { theme: DEFAULT_OPTIONS.theme, ...chosenValues };
    for (const name of PARAMETERS) {
      const value = shown[name];
      if (value === undefined) chart.removeAttribute(attributeOf(name));
      else chart.setAttribute(attributeOf(name), value);
    }
    chart.reports = chosenValues['showUserReports'] === 'true';
    find('address').textContent = styleAddress(location.origin, chosenValues, 'TOKEN');
    history.replaceState(null, '', `#${new URLSearchParams({ ...chosenValues, token })}`);
  };
  const choose = (next: ChosenValues) => {
    chosenValues = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''));
    tell('');
    show();
  };
  const showAll = () =>
    showParameters(find('parameters'), parameters, chosenValues, (name, value) => {
      choose({ ...chosenValues, [name]: value });
      if (name === 'styleId') find<HTMLSelectElement>('saved').value = value;
    });
  showAll();
  show();
  find('reset').addEventListener('click', () => {
    choose({});
    find<HTMLSelectElement>('saved').value = '';
    showAll();
  });
  find('parameters').addEventListener('submit', (event) => event.preventDefault());
  const copy = find<HTMLButtonElement>('copy');
  copy.addEventListener('click', () => void copyFrom(find('address'), copy, 'Copy URL'));
  find('export').addEventListener('click', () => attempt(() => download(chosenValues, token)));
  openSavedStyles(token, parameters, {
    chosen: () => chosenValues,
    choose: (next) => {
      choose(next);
      showAll();
    },
  });
  chart.addEventListener('leadline-style', ({ detail: { map } }) => {
    const theme = styleOf(map)?.name?.replace('Leadline ', '') ?? 'day';
    document.body.dataset['theme'] = lightOf(theme);
  });
  // For automated tests and for debugging in the console.
  chart.addEventListener('leadline-ready', ({ detail: { map } }) =>
    Object.assign(globalThis, { chartMap: map }),
  );
}

/** Downloads the style document. Its URLs are absolute. */
async function download(chosen: ChosenValues, token: string): Promise<void> {
  const answer = await fetch(styleAddress(location.origin, chosen, token));
  const document = (await answer.json()) as { detail?: string };
  if (!answer.ok) throw new Error(document.detail ?? 'The style could not be created.');
  const text = JSON.stringify(document, null, 2);
  downloadText(text, 'leadline-style.json', 'application/json');
}

interface Choosing {
  chosen(): ChosenValues;
  choose(said: ChosenValues): void;
}

/** Opens saved styles of the account, and saves the current parameters as a new style. */
function openSavedStyles(
  token: string,
  parameters: readonly StyleParameter[],
  { chosen: said, choose }: Choosing,
): void {
  const { savedStyles } = createClient({ address: location.origin, token, retries: 0 });
  const list = find<HTMLSelectElement>('saved');
  const form = find<HTMLFormElement>('save');
  const refresh = async () => {
    const styles = await savedStyles.list();
    list.replaceChildren(
      new Option('None', ''),
      ...styles.map(({ id, name }) => new Option(name, id)),
    );
    list.value = said()['styleId'] ?? '';
  };
  list.addEventListener('change', () => choose({ ...said(), styleId: list.value }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = String(new FormData(form).get('name'));
    void attempt(async () => {
      const createdStyle = await savedStyles.create({
        name,
        // The base theme of a saved style is one of the S-52 palettes.
        baseTheme: lightOf(said()['theme'] ?? 'day') as BaseTheme,
        parameters: { colors: {}, settings: settingsOf(parameters, said()) },
      });
      choose({ styleId: createdStyle.id });
      await refresh();
      tell(`Saved as ${createdStyle.name}.`, 'saved-status');
    }, 'saved-status');
  });
  if (token !== '') void attempt(refresh, 'saved-status');
}

// Another link in this tab changes only the fragment.
addEventListener('hashchange', () => location.reload());
void attempt(open);
