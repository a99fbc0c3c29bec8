// Copies a link to the current view. The link contains neither the token nor a saved style, which belongs
// to the account.

/** @param linkHere returns the link to the current view */
export function openSharing(
  button: HTMLButtonElement,
  result: HTMLOutputElement,
  linkHere: () => string,
): void {
  button.addEventListener('click', async () => {
    const link = linkHere();
    try {
      await navigator.clipboard.writeText(link);
      result.value = 'Link copied. It does not contain your token.';
    } catch {
      // Without clipboard permission, show the link so that the user can copy it.
      result.value = link;
    }
  });
}
