// The chart page: <leadline-chart> with display choices and tools around it.

import { type Map as ChartMap, setWorkerUrl } from 'maplibre-gl';
import { CHART_THEME, DEFAULT_OPTIONS, type Theme } from '../../../shared/style/options.ts';
import { LeadlineChart } from '../client/chart/leadline-chart.ts';
import { lightOf } from '../client/chart/light.ts';
import { styleOf } from '../client/chart/style-of.ts';
import { createClient } from '../client/client.ts';
import { NotFoundError, TokenError } from '../client/errors.ts';
import { carryToken } from '../docs/carry-token.ts';
import { type Chosen, choicesOfStyle, parametersOf } from './choices.ts';
import { showChoices } from './choices-form.ts';
import { settingsOf } from './choices-settings.ts';
import { showLegend } from './legend.ts';
import { openMeasureTool } from './measure-tool.ts';
import { openAgeMark } from './offline/age-mark.ts';
import {
  forgetInstalled,
  linkToUse,
  rememberLink,
  rememberWhenInstalled,
  tokenToUse,
} from './offline/installed-token.ts';
import { keepPage, keepThemes, startKeeping } from './offline/keep-offline.ts';
import { readLink, writeLink } from './page-link.ts';
import { showReadout } from './readout.ts';
import { openReports } from './reports/reports.ts';
import { openRouteTool } from './route-tool.ts';
import { openSearch } from './search.ts';
import { openSharing } from './share-place.ts';
import { openSoundings } from './soundings.ts';
import { openStyleEditor } from './style-editor.ts';
import { previewStyle } from './style-preview.ts';
import { openTide } from './tide.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');
await startKeeping();
customElements.define('leadline-chart', LeadlineChart);

const element = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found as T;
};

// Another link in this tab changes only the fragment. The link to a place has no token. Without a fragment
// it is the page that describes the service.
addEventListener('hashchange', () => {
  const next = readLink(location.hash);
  if (next.token === '' && location.hash !== '')
    history.replaceState(null, '', writeLink({ ...next, token }));
  location.reload();
});

const age = openAgeMark(element('age'));

function tell(text: string): void {
  element('problem-text').textContent = text;
  const dialog = element<HTMLDialogElement>('problem');
  if (!dialog.open) dialog.showModal();
}

const { place, chosen: linked, styleId: linkedStyle } = readLink(linkToUse(location.hash));
const token = tokenToUse(readLink(location.hash).token);
rememberWhenInstalled(token);
let chosen: Chosen = linked;
let styleId = linkedStyle;
const chart = element<LeadlineChart>('map');
const theme = () => chosen['theme'] ?? CHART_THEME;
const units = () => chosen['depthUnits'] ?? 'meters';
const depthLimit = () => Number(chosen['depthLimit'] ?? DEFAULT_OPTIONS.depthLimit);

function draw(): void {
  // The page has three colour schemes. `night-bright` uses the one for night, `yacht` the one for day.
  document.body.dataset['theme'] = lightOf(theme());
  chart.parameters = parametersOf(chosen, styleId);
}

chart.addEventListener('leadline-error', ({ detail: { topic, error } }) => {
  if (topic !== 'chart') return;
  if (error instanceof TokenError) forgetInstalled();
  if (error instanceof TokenError) {
    tell(
      `This page needs a new token. ${error.message} Ask the operator of this service for a new link.`,
    );
  }
  if (error instanceof NotFoundError && styleId !== undefined) {
    styleId = undefined;
    draw();
    tell('The saved style in this link was deleted. The chart is shown without it.');
  }
});
chart.addEventListener('leadline-ready', ({ detail: { map } }) => openTools(map), { once: true });
if (place !== undefined) {
  chart.center = [place.longitude, place.latitude];
  chart.zoom = place.zoom;
}
chart.pickPanel = element('pick');
chart.token = token;
carryToken(token);
draw();

function openTools(map: ChartMap): void {
  const fold = element<HTMLDetailsElement>('legend');
  const legend = () => {
    const sprite = styleOf(map)?.sprite;
    if (!fold.open || typeof sprite !== 'string') return;
    const crowd = { view: chosen['showCrowdDepth'] ?? 'false', theme: theme() };
    void showLegend(element('legend-list'), sprite, crowd);
  };
  const currentPlace = () => {
    const { lat, lng } = map.getCenter();
    return { zoom: map.getZoom(), latitude: lat, longitude: lng };
  };
  const link = () => {
    history.replaceState(null, '', writeLink({ token, place: currentPlace(), chosen, styleId }));
    rememberLink();
  };
  const depths = () => `${units()} ${depthLimit()}`;
  let drawnDepths = depths();
  const redraw = () => {
    draw();
    redrawReports();
    // Only if they change, because screen readers announce them.
    if (depths() !== drawnDepths) for (const part of [tide, route, measure]) part.redraw();
    drawnDepths = depths();
    link();
  };
  const showAll = () =>
    showChoices(element('choices'), chosen, (name, value) => {
      chosen = { ...chosen, [name]: value };
      preview = undefined;
      redraw();
    });
  showAll();
  /** Draws unsaved colours. Called again each time the chart loads a style from the service. */
  let preview: (() => void) | undefined;
  // Without retries: the user repeats what failed, and the search falls back to the names in view.
  const client = createClient({ address: location.origin, token, retries: 0, timeoutMs: 15_000 });
  openStyleEditor(element('styles'), element('style-form'), {
    styles: client.savedStyles,
    styleId,
    chosen: () => chosen,
    apply: (saved, next) => {
      styleId = saved?.id;
      chosen = next;
      preview = undefined;
      showAll();
      redraw();
      // The style id may be the same as before, with new colours.
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
  fold.addEventListener('toggle', legend);
  showReadout(map, element('readout'), {
    units,
    depthLimit,
  });
  age.show(map);
  map.once('idle', () => {
    keepPage();
    // If this fails, only the theme cannot be changed offline. A fresh document would hide the age of one that is shown.
    if (element('age').hidden) keepThemes(chart).catch(() => undefined);
  });
  const tide = openTide(map, element('tide'), client.charts.waterLevel, units);
  openSoundings(map, element('soundings'), client.soundings, units);
  openSharing(element('share'), element('share-result'), () => {
    const shared = writeLink({ token: '', place: currentPlace(), chosen, styleId: undefined });
    return new URL(shared, location.href).href;
  });
  openSearch(
    map,
    {
      form: element('search'),
      field: element('query'),
      clear: element('search-clear'),
      list: element('search-names'),
      status: element('search-result'),
    },
    client.charts,
  );
  // The first tool that accepts a click handles it. The pick report handles all other clicks.
  const clicks = chart.clicks!;
  const route = openRouteTool(map, element('route'), {
    charts: client.charts,
    units,
    entering: (tool) => clicks.enter(tool),
  });
  clicks.add(route);
  const measure = openMeasureTool(map, element('measure'), (tool) => clicks.enter(tool), {
    charts: createClient({ address: location.origin, token }).charts,
    options: () => ({ units: units(), depthLimit: depthLimit() }),
  });
  clicks.add(measure);
  const redrawReports = openReports(map, {
    token,
    panel: element('user-report'),
    notice: element('reports-state'),
    fold: element('reports-fold'),
    clicks,
    theme: () => theme() as Theme,
    isShown: () => chosen['showUserReports'] !== 'false',
  });
  map.on('moveend', link);
  // For automated tests and for debugging in the console.
  Object.assign(globalThis, { chartMap: map });
}
