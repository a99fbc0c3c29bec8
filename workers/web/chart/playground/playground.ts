// The style playground: every parameter of the chart's style, tried on a live chart, with the address
// and the document that an app takes away. Its state is behind the `#` of the address, as the chart
// page's is.

import { setWorkerUrl } from 'maplibre-gl';
import type { BaseTheme } from '../../../../shared/style/options.ts';
import { LeadlineChart } from '../../client/chart/leadline-chart.ts';
import { lightOf } from '../../client/chart/light.ts';
import { attributeOf, PARAMETERS } from '../../client/chart/parameters.ts';
import { styleOf } from '../../client/chart/style-of.ts';
import { openPortal } from '../portal.ts';
import { showParameters } from './parameter-form.ts';
import {
  readStyleParameters,
  type Said,
  type StyleParameter,
  settingsOf,
  styleAddress,
} from './style-parameters.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');
customElements.define('leadline-chart', LeadlineChart);

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const chart = find<LeadlineChart>('chart');
const tell = (text: string, where = 'told') => {
  find(where).textContent = text;
};
/** Runs what may fail, and tells why it did. */
const attempt = async (work: () => Promise<void>, where = 'told') => {
  try {
    await work();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), where);
  }
};

async function open(): Promise<void> {
  const { token = '', ...linked } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const parameters = await readStyleParameters();
  const names = new Set(parameters.map(({ name }) => name));
  let said: Said = Object.fromEntries(Object.entries(linked).filter(([name]) => names.has(name)));
  chart.token = token;

  const show = () => {
    for (const name of PARAMETERS) {
      const value = said[name];
      if (value === undefined) chart.removeAttribute(attributeOf(name));
      else chart.setAttribute(attributeOf(name), value);
    }
    chart.reports = said['showUserReports'] === 'true';
    find('address').textContent = styleAddress(location.origin, said, 'TOKEN');
    history.replaceState(null, '', `#${new URLSearchParams({ ...said, token })}`);
  };
  const choose = (next: Said) => {
    said = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''));
    tell('');
    show();
  };
  const showAll = () =>
    showParameters(find('parameters'), parameters, said, (name, value) => {
      choose({ ...said, [name]: value });
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
  find('copy').addEventListener('click', () =>
    attempt(async () => {
      await navigator.clipboard.writeText(styleAddress(location.origin, said, 'TOKEN'));
      tell('Copied.');
    }),
  );
  find('export').addEventListener('click', () => attempt(() => download(said, token)));
  openSavedStyles(token, parameters, {
    said: () => said,
    choose: (next) => {
      choose(next);
      showAll();
    },
  });
  chart.addEventListener('leadline-style', ({ detail: { map } }) => {
    const theme = styleOf(map)?.name?.replace('Leadline ', '') ?? 'day';
    document.body.dataset['theme'] = lightOf(theme);
  });
  // For automated tests and for the curious.
  chart.addEventListener('leadline-ready', ({ detail: { map } }) =>
    Object.assign(globalThis, { chartMap: map }),
  );
}

/** The document as the service makes it: all that it names is addressed in full. */
async function download(said: Said, token: string): Promise<void> {
  const answer = await fetch(styleAddress(location.origin, said, token));
  const document = (await answer.json()) as { detail?: string };
  if (!answer.ok) throw new Error(document.detail ?? 'The style cannot be made right now.');
  const text = JSON.stringify(document, null, 2);
  const link = window.document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'leadline-style.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

interface Choosing {
  said(): Said;
  choose(said: Said): void;
}

/** The account's styles by name: opened by their id, or made of the parameters as they are. */
function openSavedStyles(
  token: string,
  parameters: readonly StyleParameter[],
  { said, choose }: Choosing,
): void {
  const portal = openPortal(token);
  const list = find<HTMLSelectElement>('saved');
  const form = find<HTMLFormElement>('save');
  const refresh = async () => {
    const styles = await portal.list();
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
      const made = await portal.create({
        name,
        // A style is saved over one of the themes of S-52.
        baseTheme: lightOf(said()['theme'] ?? 'day') as BaseTheme,
        parameters: { colors: {}, settings: settingsOf(parameters, said()) },
      });
      choose({ styleId: made.id });
      await refresh();
      tell(`Saved as ${made.name}.`, 'saved-told');
    }, 'saved-told');
  });
  if (token !== '') void attempt(refresh, 'saved-told');
}

void attempt(open);
