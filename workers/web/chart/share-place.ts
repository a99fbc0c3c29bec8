// A link to the place in view for others: without the token, as they have their own, and without a saved
// style, which is the account's.

/** @param linkHere the page's address as of now, without what is one's own */
export function openSharing(
  button: HTMLButtonElement,
  result: HTMLOutputElement,
  linkHere: () => string,
): void {
  button.addEventListener('click', async () => {
    const link = linkHere();
    try {
      await navigator.clipboard.writeText(link);
      result.value = 'Copied. It holds no token.';
    } catch {
      // Not every page may write there: the link can be copied by hand.
      result.value = link;
    }
  });
}
