// The popup that card and form share: one content at a time, closed by its cross, by Escape, or by
// what comes next.

export interface Popup {
  /** @param closed told once, however it is closed */
  show(nodes: readonly Node[], closed: () => void): void;
  close(): void;
}

/** @param leave where the focus goes that was in the popup when it closed */
export function openPopup(panel: HTMLElement, leave: () => void): Popup {
  let closed: (() => void) | undefined;
  const end = () => {
    const tell = closed;
    closed = undefined;
    tell?.();
  };
  const close = () => {
    const hadFocus = panel.contains(document.activeElement);
    panel.hidden = true;
    panel.replaceChildren();
    end();
    if (hadFocus) leave();
  };
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  return {
    show: (nodes, nextClosed) => {
      end();
      closed = nextClosed;
      panel.replaceChildren(...nodes);
      panel.hidden = false;
    },
    close,
  };
}
