// Creates elements. Text is never parsed as markup, because names and notes are untrusted.

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

/** The close button in the corner of a popup. */
export function closer(label: string, press: () => void): HTMLButtonElement {
  const made = button('×', press);
  made.className = 'close';
  made.setAttribute('aria-label', label);
  return made;
}
