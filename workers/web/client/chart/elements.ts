// Creates elements. Text is never parsed as markup, because names and notes are untrusted.

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const created = element('button', text);
  created.type = 'button';
  created.addEventListener('click', press);
  return created;
}

/** Creates an SVG element with attributes. */
export function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const created = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  return created;
}

/** The close button in the corner of a popup. */
export function closer(label: string, press: () => void): HTMLButtonElement {
  const created = button('×', press);
  created.className = 'close';
  created.setAttribute('aria-label', label);
  return created;
}
