// Parts of the page that are loaded when they are needed. After Paddock was updated, a page that is still
// open asks for parts that are gone: it loads itself anew, once; drafts are kept.
import { lazy, type Component } from 'solid-js';

const MARK = 'paddock.reloaded';
/** A second failure within this time is no update but a fault, and is shown. */
const AGAIN_MS = 30_000;

export function later<P extends Record<string, unknown>>(load: () => Promise<{ default: Component<P> }>): Component<P> {
  return lazy(() => load().catch(renew));
}

function renew(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(MARK) ?? 0);
  if (Date.now() - last < AGAIN_MS) throw error;
  sessionStorage.setItem(MARK, String(Date.now()));
  location.reload();
  return new Promise(() => undefined);
}
