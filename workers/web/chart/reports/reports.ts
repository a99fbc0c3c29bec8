// User reports on the chart page: connects pins, list, card and form with the service.

import type { Map as ChartMap, LngLat } from 'maplibre-gl';
import type { Theme } from '../../../../shared/style/options.ts';
import { boxOf, holds } from '../../client/chart/box.ts';
import type { ClickOrder, ClickTool } from '../../client/chart/click-order.ts';
import { element } from '../../client/chart/elements.ts';
import { userId } from './draft.ts';
import { placeOf } from './draft-pin.ts';
import { openKnownReports } from './known-reports.ts';
import { openPopup } from './popup.ts';
import { onPress } from './press.ts';
import { openReading } from './reading.ts';
import { ageText, type Report } from './report.ts';
import { noticeWords, reportRows, stateWords } from './report-list.ts';
import { openClient } from './reports-client.ts';
import { type FeedState, openFeed } from './reports-feed.ts';
import { openReportsLayer } from './reports-layer.ts';
import { openWriting } from './writing.ts';

interface ReportsHandlers {
  readonly token: string;
  /** Contains the card or form. */
  readonly panel: HTMLElement;
  /** Shows that reports are missing or out of date. */
  readonly notice: HTMLElement;
  /** Contains the list of reports in view. */
  readonly fold: HTMLDetailsElement;
  readonly clicks: ClickOrder;
  theme(): Theme;
  isShown(): boolean;
}

/** @returns a function to call when `isShown` or the theme has changed */
export function openReports(map: ChartMap, handlers: ReportsHandlers): () => void {
  const client = openClient(handlers.token, userId());
  const known = openKnownReports();
  const layer = openReportsLayer(map, handlers.theme);
  const popup = openPopup(handlers.panel, () => map.getCanvas().focus({ preventScroll: true }));
  const tool: ClickTool = {
    take: ({ point }) => {
      if (press.takesClick() || layer.openCluster(point)) return true;
      const found = layer.idsAt(point).flatMap((id) => known.get(id) ?? []);
      if (found.length === 1) reading.open(found[0]!);
      if (found.length > 1) reading.choose(found);
      return found.length > 0;
    },
    makeRoom: popup.close,
  };
  const enter = () => {
    handlers.clicks.enter(tool);
    // Update what opens now.
    if (handlers.isShown()) feed.refresh();
  };
  const reading = openReading(popup, client, known, layer, enter);
  const writing = openWriting(map, popup, client, enter, (report, isFormShown) => {
    known.takeNew(report, Date.now());
    if (isFormShown) reading.open(report, 'Thank you. Your report is on the chart.');
  });
  const press = onPress(map, (at: LngLat) => writing.openAt(placeOf(at.wrap())));
  map.addControl(reportButton(writing.open));

  let state: FeedState = 'waiting';
  const shown = () => (handlers.isShown() ? known.all() : []);
  const list = openList(handlers.fold, (report) => reading.open(report));
  const showList = () => {
    const notice = handlers.isShown() ? noticeWords(state) : '';
    handlers.notice.textContent = notice;
    handlers.notice.hidden = notice === '';
    const view = boxOf(map, 0);
    list.show(
      shown().filter((report) => holds(view, report)),
      state,
    );
  };
  const feed = openFeed(map, client, known, handlers.isShown, (next) => {
    state = next;
    showList();
  });
  const redraw = () => {
    layer.show(shown());
    reading.update(feed.covers);
    showList();
  };
  known.onChange(redraw);
  map.on('moveend', showList);
  handlers.clicks.add(tool);
  return () => {
    redraw();
    if (handlers.isShown()) feed.refresh();
  };
}

/** A map control with the button that starts a report. */
function reportButton(press: () => void) {
  const group = element('div');
  group.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  const start = element('button');
  Object.assign(start, { id: 'report', type: 'button', title: 'Report what you see' });
  start.setAttribute('aria-label', 'Report what you see, at the centre of the chart');
  const icon = element('span');
  icon.className = 'maplibregl-ctrl-icon';
  start.append(icon);
  start.addEventListener('click', press);
  group.append(start);
  return { onAdd: () => group, onRemove: () => group.remove() };
}

/** A list in a `details` element, rendered while that is open. */
function openList(fold: HTMLDetailsElement, choose: (report: Report) => void) {
  const words = element('p');
  words.setAttribute('role', 'status');
  const place = element('div');
  fold.append(words, place);
  let render = () => {};
  let rendered: string | undefined;
  fold.addEventListener('toggle', () => render());
  return {
    show: (reports: readonly Report[], state: FeedState) => {
      render = () => {
        if (!fold.open) return;
        words.textContent = stateWords(state, reports.length);
        // Rendering the list again would lose a press in progress and the focus.
        const now = Date.now();
        const key = reports.map((one) => `${one.id} ${ageText(one.createdAt, now)}`).join();
        if (key === rendered) return;
        rendered = key;
        const focused = (document.activeElement as HTMLElement | null)?.dataset['report'];
        place.replaceChildren(reportRows(reports, choose));
        if (focused !== undefined)
          place.querySelector<HTMLElement>(`[data-report="${focused}"]`)?.focus();
      };
      render();
    },
  };
}
