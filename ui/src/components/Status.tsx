// Dot and word: a state by shape, word and colour, never by colour alone.
import { Show } from 'solid-js';

export type StatusTone = 'attention' | 'failure' | 'success' | 'progress' | 'quiet';
export type StatusShape = 'full' | 'half' | 'ring' | 'check' | 'cross' | 'dash';

export function Dot(props: { tone: StatusTone; shape: StatusShape; label?: string | undefined }) {
  return (
    <svg data-tone={props.tone} width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="var(--mark)" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" role={props.label ? 'img' : undefined} aria-label={props.label} aria-hidden={props.label ? undefined : 'true'}>
      <Show when={props.shape === 'full'}>
        <circle cx="6" cy="6" r="4.2" fill="var(--mark)" stroke="none" />
      </Show>
      <Show when={props.shape === 'ring' || props.shape === 'half'}>
        <circle cx="6" cy="6" r="3.7" />
      </Show>
      <Show when={props.shape === 'half'}>
        <path d="M6 2.3a3.7 3.7 0 0 1 0 7.4z" fill="var(--mark)" stroke="none" />
      </Show>
      <Show when={props.shape === 'check'}>
        <path d="M2.2 6.4l2.6 2.6 5-5.6" />
      </Show>
      <Show when={props.shape === 'cross'}>
        <path d="M3 3l6 6M9 3l-6 6" />
      </Show>
      <Show when={props.shape === 'dash'}>
        <path d="M2.8 6h6.4" />
      </Show>
    </svg>
  );
}

export function Status(props: { tone: StatusTone; shape: StatusShape; word: string }) {
  return (
    <span class="status" data-tone={props.tone}>
      <Dot tone={props.tone} shape={props.shape} />
      <span class="word">{props.word}</span>
    </span>
  );
}
