// A button that copies a code snippet.

/** Adds the button before the `pre` of the code. */
export function addCopyButton(code: Element): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Without HTTPS there is no clipboard: select the text instead.
      getSelection()?.selectAllChildren(code);
      button.textContent = 'Selected: copy it with the keyboard';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  code.parentElement!.before(button);
}
