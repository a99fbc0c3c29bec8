// The chart page: <leadline-chart> as apps have it, with what a reader may choose beside it.

import { type Map as ChartMap, setWorkerUrl } from 'maplibre-gl';
import { DEFAULT_OPTIONS, type Theme } from '../../../shared/style/options.ts';
import { LeadlineChart } from '../client/chart/leadline-chart.ts';
import { lightOf } from '../client/chart/light.ts';
import { styleOf } from '../client/chart/style-of.ts';
import { createClient } from '../client/client.ts';
import { NotFoundError, TokenError } from '../client/errors.ts';
import { type Chosen, choicesOfStyle, parametersOf } from './choices.ts';
import { showChoices } from './choices-form.ts';
import { settingsOf } from './choices-settings.ts';
import { showLegend } from './legend.ts';
import { openMeasureTool } from './measure-tool.ts';
import { openAgeMark } from './offline/age-mark.ts';
import { forgetInstalled, rememberWhenInstalled, tokenToUse } from './offline/installed-token.ts';
import { keepPage, startKeeping } from './offline/keep-offline.ts';
import { readLink, writeLink } from './page-link.ts';
import { showReadout } from './readout.ts';
import { openReports } from './reports/reports.ts';
import { openRouteTool } from './route-tool.ts';
import { openSearch } from './search.ts';
import { openSharing } from './share-place.ts';
import { openSoundings } from './soundings.ts';
import { openStyleEditor } from './style-editor.ts';
import { previewStyle } from './style-preview.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');
await startKeeping();
customElements.define('leadline-chart', LeadlineChart);

const element = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found as T;
};

const age = openAgeMark(element('age'));

function tell(text: string): void {
  element('problem-text').textContent = text;
  const dialog = element<HTMLDialogElement>('problem');
  if (!dialog.open) dialog.showModal();
}

const { token: linkedToken, place, chosen: linked, styleId: linkedStyle } = readLink(location.hash);
const token = tokenToUse(linkedToken);
rememberWhenInstalled(token);
let chosen: Chosen = linked;
let styleId = linkedStyle;
const chart = element<LeadlineChart>('map');
const theme = () => chosen['theme'] ?? 'day';
const units = () => chosen['depthUnits'] ?? 'meters';

function draw(): void {
  // The page around a bright night is as dark as around a dark one, around a calm day as light.
  document.body.dataset['theme'] = lightOf(theme());
  chart.parameters = parametersOf(chosen, styleId);
}

chart.addEventListener('leadline-error', ({ detail: { topic, error } }) => {
  if (topic !== 'chart') return;
  if (error instanceof TokenError) forgetInstalled();
  if (token === '' || error instanceof TokenError) {
    tell(
      token === ''
        ? 'This page needs a token. Open it by a link that ends in #token=TOKEN; the operator of this service can give you one.'
        : `This page needs another token. ${error instanceof Error ? error.message : ''} The operator of this service can give you one.`,
    );
  }
  if (error instanceof NotFoundError && styleId !== undefined) {
    styleId = undefined;
    draw();
    tell('The saved style of this link is gone. The chart is shown without it.');
  }
});
chart.addEventListener('leadline-ready', ({ detail: { map } }) => openTools(map), { once: true });
if (place !== undefined) {
  chart.center = [place.longitude, place.latitude];
  chart.zoom = place.zoom;
}
chart.pickPanel = element('pick');
chart.token = token;
draw();

function openTools(map: ChartMap): void {
  const legend = () => {
    const sprite = styleOf(map)?.sprite;
    if (typeof sprite !== 'string') return;
    showLegend(element('legend-list'), sprite).catch((error: Error) => tell(error.message));
  };
  const here = () => {
    const { lat, lng } = map.getCenter();
    return { zoom: map.getZoom(), latitude: lat, longitude: lng };
  };
  const link = () =>
    history.replaceState(null, '', writeLink({ token, place: here(), chosen, styleId }));
  const redraw = () => {
    draw();
    redrawReports();
    link();
  };
  const showAll = () =>
    showChoices(element('choices'), chosen, (name, value) => {
      chosen = { ...chosen, [name]: value };
      preview = undefined;
      redraw();
    });
  showAll();
  /** Draws what is not saved yet, again where a document of the service comes in between. */
  let preview: (() => void) | undefined;
  openStyleEditor(element('styles'), element('style-form'), {
    token,
    styleId,
    chosen: () => chosen,
    apply: (saved, next) => {
      styleId = saved?.id;
      chosen = next;
      preview = undefined;
      showAll();
      redraw();
      // It may have the same name as before, and other colours.
      chart.reload();
    },
    preview: (colors, settings) => {
      preview = () => {
        const options = {
          ...settings,
          ...settingsOf(choicesOfStyle(chosen)),
          theme: theme() as Theme,
          colors,
        };
        const shown = styleOf(map);
        const document = shown && previewStyle(shown, options);
        if (document !== undefined) map.setStyle(document);
      };
      preview();
    },
  });
  chart.addEventListener('leadline-style', () => {
    legend();
    preview?.();
  });
  element<HTMLDetailsElement>('legend').addEventListener('toggle', legend);
  showReadout(map, element('readout'), {
    units,
    depthLimit: () => Number(chosen['depthLimit'] ?? DEFAULT_OPTIONS.depthLimit),
  });
  age.show(map);
  map.once('idle', keepPage);
  openSoundings(map, element('soundings'), token, units);
  openSharing(element('share'), element('share-result'), () => {
    const shared = writeLink({ token: '', place: here(), chosen, styleId: undefined });
    return new URL(shared, location.href).href;
  });
  openSearch(
    map,
    {
      form: element('search'),
      field: element('query'),
      clear: element('search-clear'),
      list: element('search-names'),
      told: element('search-result'),
    },
    // Somebody waits: where the service does not answer soon, the names in view are searched.
    createClient({ address: location.origin, token, retries: 0, timeoutMs: 15_000 }).charts,
  );
  // A click belongs to the first of these that takes it; the pick report takes all that are left.
  const clicks = chart.clicks!;
  clicks.add(
    openRouteTool(map, element('route'), {
      token,
      units,
      entering: (tool) => clicks.enter(tool),
    }),
  );
  clicks.add(openMeasureTool(map, element('measure'), (tool) => clicks.enter(tool)));
  const redrawReports = openReports(map, {
    token,
    panel: element('user-report'),
    fold: element('reports-fold'),
    clicks,
    theme: () => theme() as Theme,
    isShown: () => chosen['showUserReports'] !== 'false',
  });
  map.on('moveend', link);
  // For automated tests and for the curious.
  Object.assign(globalThis, { chartMap: map });
}
