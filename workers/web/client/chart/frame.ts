// The parts of the element around the map: caution, messages and panels. They are in a shadow tree, so
// that a stylesheet of the page cannot hide them by accident.

import { button, element } from './elements.ts';

/** Pages can set the colours `--leadline-paper`, `--leadline-ink` and `--leadline-line`. */
const STYLES = `
:host { display: grid; container-type: inline-size; grid-template: minmax(12rem, 1fr) / minmax(0, 1fr); position: relative;
  --frame-paper: var(--leadline-paper, #fffffff0); --frame-ink: var(--leadline-ink, #16232b);
  --frame-line: var(--leadline-line, #b8c4cc); color: var(--frame-ink); font: 14px/1.4 system-ui, sans-serif; }
:host([hidden]) { display: none; }
.frame { display: contents; }
.frame[data-light=dusk] { --frame-paper: var(--leadline-paper, #10181df0); --frame-ink: var(--leadline-ink, #93a7b3);
  --frame-line: var(--leadline-line, #34444e); color: var(--frame-ink); }
.frame[data-light=night] { --frame-paper: var(--leadline-paper, #050709f5); --frame-ink: var(--leadline-ink, #6d7d87);
  --frame-line: var(--leadline-line, #1b242a); color: var(--frame-ink); }
.caution, .panel, .notices p, .cover { box-sizing: border-box; margin: 0; border: 1px solid var(--frame-line);
  border-radius: 6px; background: var(--frame-paper); color: var(--frame-ink); }
.caution { position: absolute; z-index: 5; left: 8px; top: 8px; padding: 2px 10px; font-weight: 600; pointer-events: none; white-space: nowrap; }
.crosshair { position: absolute; left: 50%; top: 50%; width: 25px; height: 25px; margin: -13px 0 0 -13px;
  pointer-events: none; background: linear-gradient(#d81fd8, #d81fd8) 50% 0 / 1px 100% no-repeat,
  linear-gradient(#d81fd8, #d81fd8) 0 50% / 100% 1px no-repeat; }
.crosshair[hidden], .cover[hidden], .panel[hidden], .notices:empty { display: none; }
.notices { position: absolute; z-index: 4; left: 8px; top: 44px; display: grid; gap: 6px;
  width: min(32rem, calc(100% - 64px)); }
.notices p { padding: 6px 12px; border-left: 4px solid #c8321e; }
.cover { position: absolute; z-index: 2; inset: 0; display: grid; place-content: center; gap: 12px;
  justify-items: center; padding: 24px; text-align: center; border-radius: 0;
  background: repeating-linear-gradient(45deg, #0000 0 12px, #8881 12px 24px), var(--frame-paper); }
.cover p { margin: 0; max-width: 30rem; font-size: 16px; }
.panel { position: absolute; z-index: 4; top: 8px; right: 56px; width: min(22rem, calc(100% - 72px));
  max-height: calc(100% - 80px); overflow: auto; padding: 10px 14px; }
.panel h2 { margin: 0 32px 6px 0; font-size: 16px; }
.panel ul { list-style: none; margin: 0; padding: 0; }
.panel small, .panel summary { display: block; opacity: 0.75; }
.panel dt { margin-top: 6px; opacity: 0.75; }
.panel dd { margin: 0; overflow-wrap: anywhere; }
button { font: inherit; color: inherit; cursor: pointer; }
.panel button { border: 0; padding: 6px 2px; background: none; text-align: left; }
.panel li button { width: 100%; border-top: 1px solid var(--frame-line); }
.panel .close { position: absolute; top: 2px; right: 4px; min-width: 32px; font-size: 20px; text-align: center; }
.cover button, .notices button { border: 1px solid var(--frame-line); border-radius: 4px; padding: 4px 12px;
  background: none; }
.notices button { margin-left: 8px; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
@media (pointer: coarse) { button { min-height: 44px; min-width: 44px; } }
@container (max-width: 40rem) { .panel { inset: auto 0 0; width: auto; max-height: 45%; border-radius: 12px 12px 0 0; } }
`;

/** Subject of a message. One message per topic is shown. */
export type Topic =
  | 'chart'
  | 'tiles'
  | 'drawing'
  | 'pick'
  | 'position'
  | 'reports'
  | 'route'
  | 'attributes';

export interface Frame {
  /** Panel for the pick report. */
  readonly pickPanel: HTMLElement;
  readonly reportPanel: HTMLElement;
  /** Covers the chart with a text, or uncovers it if `undefined`. @param again action of "Try again" */
  cover(text: string | undefined, again?: () => void): void;
  /** Shows a message above the chart, or removes it if `undefined`. @param again action of "Try again" */
  say(topic: Topic, text: string | undefined, again?: () => void): void;
  /** Removes all messages and closes all panels. */
  clear(): void;
  light(light: string): void;
  /** Marks the centre of the chart, for picking with the keyboard. */
  crosshair(isShown: boolean): void;
}

/** Slot of the map, which is outside the shadow tree so that MapLibre's stylesheet applies to it. */
export const MAP_SLOT = 'leadline-map';

export function openFrame(host: HTMLElement): Frame {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  // A constructed stylesheet, because a Content Security Policy may block style elements.
  const styles = new CSSStyleSheet();
  styles.replaceSync(STYLES);
  root.adoptedStyleSheets = [styles];
  const frame = named('div', 'frame');
  const slot = element('slot');
  slot.name = MAP_SLOT;
  const crosshair = named('div', 'crosshair');
  const cover = named('div', 'cover');
  cover.setAttribute('role', 'alert');
  const notices = named('div', 'notices');
  notices.setAttribute('role', 'status');
  const pickPanel = panelNamed('Pick report');
  const reportPanel = panelNamed('User report');
  const caution = named('p', 'caution');
  caution.id = 'caution';
  caution.textContent = 'Not for navigation';
  for (const one of [crosshair, cover, pickPanel, reportPanel]) one.hidden = true;
  frame.append(slot, crosshair, cover, notices, pickPanel, reportPanel, caution);
  root.replaceChildren(frame);

  const noticesByTopic = new Map<Topic, HTMLElement>();
  return {
    pickPanel,
    reportPanel,
    cover: (text, again) => {
      cover.hidden = text === undefined;
      cover.replaceChildren(
        ...(text === undefined ? [] : [element('p', text)]),
        ...(again === undefined ? [] : [button('Try again', again)]),
      );
    },
    say: (topic, text, again) => {
      const before = noticesByTopic.get(topic);
      if (before?.dataset['text'] === text) return;
      before?.remove();
      noticesByTopic.delete(topic);
      if (text === undefined) return;
      const notice = element('p', text);
      notice.dataset['topic'] = topic;
      notice.dataset['text'] = text;
      if (again !== undefined) notice.append(button('Try again', again));
      noticesByTopic.set(topic, notice);
      notices.append(notice);
    },
    clear: () => {
      noticesByTopic.clear();
      notices.replaceChildren();
      for (const one of [crosshair, cover, pickPanel, reportPanel]) {
        one.hidden = true;
        one.replaceChildren();
      }
    },
    light: (light) => {
      frame.dataset['light'] = light;
    },
    crosshair: (isShown) => {
      crosshair.hidden = !isShown;
    },
  };
}

function panelNamed(label: string): HTMLElement {
  const panel = named('div', 'panel');
  panel.setAttribute('role', 'region');
  panel.setAttribute('aria-label', label);
  return panel;
}

/** Creates an element that pages can style with `::part(name)`. */
function named<Name extends keyof HTMLElementTagNameMap>(
  tag: Name,
  name: string,
): HTMLElementTagNameMap[Name] {
  const created = element(tag);
  created.className = name;
  created.setAttribute('part', name);
  return created;
}
