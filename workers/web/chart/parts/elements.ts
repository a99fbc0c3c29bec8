// Creates elements of tool panels. Text is never parsed as markup.

export function element(name: string, text: string): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const created = document.createElement('button');
  created.type = 'button';
  created.textContent = text;
  created.addEventListener('click', press);
  return created;
}

/** A row of buttons. */
export function buttons(...list: readonly HTMLButtonElement[]): HTMLElement {
  const row = document.createElement('p');
  row.className = 'buttons';
  row.append(...list);
  return row;
}
