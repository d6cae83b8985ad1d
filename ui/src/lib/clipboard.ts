// Text for the clipboard, also on a page that was not fetched safely: such a page has no clipboard of its own, but
// may copy what is selected.

/** Puts `text` into the clipboard; throws where that is not possible. */
export async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  const before = document.activeElement;
  area.value = text;
  // Out of sight, and where the page does not move for it.
  area.style.cssText = 'position: fixed; inset: 0 auto auto 0; opacity: 0';
  area.setAttribute('aria-hidden', 'true');
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  try {
    area.focus();
    area.select();
    if (!document.execCommand('copy')) throw new Error('the browser did not copy it');
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
