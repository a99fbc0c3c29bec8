// Creates elements of tool panels. Text is never parsed as markup.

export function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', press);
  return made;
}

/** A row of buttons. */
export function buttons(...list: readonly HTMLButtonElement[]): HTMLElement {
  const row = document.createElement('p');
  row.className = 'buttons';
  row.append(...list);
  return row;
}
