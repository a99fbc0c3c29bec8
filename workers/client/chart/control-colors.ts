// Colours of MapLibre's own controls by dusk and by night. They stand outside of the element's shadow
// tree, and MapLibre's stylesheet makes them white.

const STYLES = `
[data-leadline-light=dusk] { --control-paper: var(--leadline-paper, #10181df0);
  --control-ink: var(--leadline-ink, #93a7b3); --control-line: var(--leadline-line, #34444e); }
[data-leadline-light=night] { --control-paper: var(--leadline-paper, #050709f5);
  --control-ink: var(--leadline-ink, #6d7d87); --control-line: var(--leadline-line, #1b242a); }
:is([data-leadline-light=dusk], [data-leadline-light=night]) .maplibregl-ctrl:is(.maplibregl-ctrl-group,
  .maplibregl-ctrl-attrib, .maplibregl-ctrl-scale) { background: var(--control-paper); color: var(--control-ink);
  border-color: var(--control-line); box-shadow: none; }
:is([data-leadline-light=dusk], [data-leadline-light=night]) .maplibregl-ctrl-group button { color: var(--control-ink);
  border-color: var(--control-line); }
:is([data-leadline-light=dusk], [data-leadline-light=night]) .maplibregl-ctrl-attrib a { color: inherit; }
:is([data-leadline-light=dusk], [data-leadline-light=night]) :is(.maplibregl-ctrl-icon,
  .maplibregl-ctrl-attrib-button) { filter: invert(0.6) brightness(0.6); }
`;

let styles: CSSStyleSheet | undefined;

/** Make the controls of a map as dark as what is around it. @param light `day`, `dusk` or `night` */
export function colorControls(container: HTMLElement, light: string): void {
  container.dataset['leadlineLight'] = light;
  const root = container.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (styles === undefined) {
    // No element with styles in it: policies of pages may refuse those.
    styles = new CSSStyleSheet();
    styles.replaceSync(STYLES);
  }
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets.push(styles);
}
