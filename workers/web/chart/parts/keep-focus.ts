// Keeps the keyboard focus in a tool whose controls disappear.

/** Makes a change. If it removes or disables the control with the focus, the control of `next` receives the focus. */
export function keepFocus(change: () => void, next: () => HTMLElement): void {
  const held = document.activeElement;
  change();
  if (held !== null && (!held.isConnected || held.matches(':disabled'))) {
    next().focus({ preventScroll: true });
  }
}
