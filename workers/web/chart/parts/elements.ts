// Creates elements of tool panels.

/** A row of buttons. */
export function buttons(...list: readonly HTMLButtonElement[]): HTMLElement {
  const row = document.createElement('p');
  row.className = 'buttons';
  row.append(...list);
  return row;
}
