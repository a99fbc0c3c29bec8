// A button that copies a code snippet.

/** Copies the text of an element. The title of the button is the result for two seconds. */
export async function copyFrom(code: Element, button: HTMLButtonElement, title: string) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Without HTTPS there is no clipboard: select the text instead.
    getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected: copy it with the keyboard';
  }
  setTimeout(() => {
    button.textContent = title;
  }, 2000);
}

/** Adds the button before the `pre` of the code. */
export function addCopyButton(code: Element): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copyFrom(code, button, 'Copy'));
  code.parentElement!.before(button);
}
