// Colours of MapLibre's own controls by dusk and by night. They stand outside of the element's shadow
// tree, and MapLibre's stylesheet makes them white.

/** The map is slotted into the frame, and inherits its colours. */
const STYLES = `
:is([data-leadline-light=dusk], [data-leadline-light=night]) .maplibregl-ctrl:is(.maplibregl-ctrl-group,
  .maplibregl-ctrl-attrib, .maplibregl-ctrl-scale) { background: var(--frame-paper); color: var(--frame-ink);
  border-color: var(--frame-line); box-shadow: none; }
:is([data-leadline-light=dusk], [data-leadline-light=night]) .maplibregl-ctrl-group button { color: var(--frame-ink);
  border-color: var(--frame-line); }
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
