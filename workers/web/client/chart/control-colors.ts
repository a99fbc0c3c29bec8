// Colours of MapLibre's controls at dusk and night. The controls are outside the shadow tree of the
// element, and white in MapLibre's stylesheet.

/** The map is slotted into the frame and inherits its custom properties. */
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

/** Sets the colours of the controls. @param light `day`, `dusk` or `night` */
export function colorControls(container: HTMLElement, light: string): void {
  container.dataset['leadlineLight'] = light;
  const root = container.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (styles === undefined) {
    // A constructed stylesheet, because a Content Security Policy may block style elements.
    styles = new CSSStyleSheet();
    styles.replaceSync(STYLES);
  }
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets.push(styles);
}
