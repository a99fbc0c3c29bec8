// Elements of the page. Their text is set as text, never as markup: names come from charts, and
// notes from anybody.

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}

/** The cross in a popup's corner. */
export function closer(label: string, press: () => void): HTMLButtonElement {
  const made = button('×', press);
  made.className = 'close';
  made.setAttribute('aria-label', label);
  return made;
}
