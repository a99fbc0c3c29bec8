// The popup that card and form share. It shows one content at a time.

export interface Popup {
  /** @param closed called once when this content closes or is replaced */
  show(nodes: readonly Node[], closed: () => void): void;
  close(): void;
}

/** @param leave moves the focus elsewhere if it was in the popup when it closed */
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
