// Short messages to the user: what was done, with a way to take it back, and what went wrong.
import { createSignal } from 'solid-js';

export interface Toast {
  id: number;
  text: string;
  tone: 'quiet' | 'failure';
  action?: { label: string; run: () => void } | undefined;
}

const STAY_MS = 6000;
const TOASTS_MAX = 3;
const [toasts, setToasts] = createSignal<Toast[]>([]);
let count = 0;

export { toasts };

export function dropToast(id: number): void {
  setToasts((all) => all.filter((one) => one.id !== id));
}

/** Takes back what was done last, where that is still offered. */
export function undoLast(): void {
  const last = toasts().findLast((one) => one.action);
  if (!last) return;
  dropToast(last.id);
  last.action?.run();
}

/** Says something; with an action, something that can be taken back. Gives its id, to take it away sooner. */
export function toast(text: string, action?: Toast['action']): number {
  return show({ text, tone: 'quiet', action });
}

/** Says that something went wrong; it stays until it is dismissed. */
export function toastFailure(text: string, action?: Toast['action']): void {
  show({ text, tone: 'failure', action });
}

function show(toast: Omit<Toast, 'id'>): number {
  count += 1;
  const id = count;
  setToasts((all) => [...all, { ...toast, id }].slice(-TOASTS_MAX));
  if (toast.tone === 'quiet') setTimeout(() => dropToast(id), toast.action ? 2 * STAY_MS : STAY_MS);
  return id;
}
