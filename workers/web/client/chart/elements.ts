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

/** The close button in the corner of a popup. */
export function closer(label: string, press: () => void): HTMLButtonElement {
  const created = button('×', press);
  created.className = 'close';
  created.setAttribute('aria-label', label);
  return created;
}
