// Code in a frame: plain at once, in colours as soon as they are made, without a change of size.
import { Show, createEffect, createSignal, on, onCleanup } from 'solid-js';
import { toClipboard } from '../lib/clipboard';
import { highlight } from '../lib/highlight';
import { t } from '../i18n';
import { IconButton } from './Button';
import { Linked } from './Linked';

interface CodeProps {
  code: string;
  lang?: string | undefined;
  /** Long code scrolls in a frame of its own. */
  capped?: boolean | undefined;
  /** What it refers to can be pressed. */
  linked?: boolean | undefined;
  /** It still grows: colours wait. */
  growing?: boolean | undefined;
}

/** How long a button says what it did. */
const DONE_MS = 1500;
const ICONS = { copied: 'check', failed: 'warning', not: 'copy' } as const;

export function CodeBlock(props: CodeProps) {
  const [done, setDone] = createSignal<'copied' | 'failed'>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = async (): Promise<void> => {
    const became = await toClipboard(props.code).then(() => 'copied' as const, () => 'failed' as const);
    setDone(became);
    clearTimeout(timer);
    timer = setTimeout(() => setDone(undefined), DONE_MS);
  };
  onCleanup(() => clearTimeout(timer));
  return (
    <div class="codeblock" data-capped={props.capped ? '' : undefined}>
      <pre tabindex={props.capped ? 0 : undefined} role={props.capped ? 'region' : undefined} aria-label={props.capped ? t().task.row.output : undefined}>
        <Colours code={props.code} lang={props.lang} growing={props.growing} linked={props.linked} />
      </pre>
      <IconButton class="copy" icon={ICONS[done() ?? 'not']} label={done() === undefined ? t().app.copy : done() === 'copied' ? t().app.copied : t().app.failed} onClick={() => void copy()} />
    </div>
  );
}

function Colours(props: CodeProps) {
  const [html, setHtml] = createSignal<{ of: string; lines: string[] }>();
  createEffect(
    on(
      () => [props.code, props.lang ?? '', props.growing] as const,
      ([code, lang, growing]) => {
        let live = true;
        onCleanup(() => (live = false));
        if (growing) return;
        void highlight(code, lang).then((lines) => live && lines && setHtml({ of: code, lines }));
      },
    ),
  );
  // The HTML comes from our worker, which escapes every token.
  return (
    <Show when={html()?.of === props.code && html()} fallback={<code><Show when={props.linked && !props.growing} fallback={props.code}><Linked text={props.code} /></Show></code>}>
      {(made) => <code innerHTML={made().lines.join('\n')} />}
    </Show>
  );
}
