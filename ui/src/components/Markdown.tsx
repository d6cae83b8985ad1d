// Markdown as it grows: each block is drawn once, only the last one again with each new piece.
import { Index, Show, createMemo } from 'solid-js';
import { blockHtml, blocksOf, type MarkdownBlock } from '../lib/markdown';
import { CodeBlock } from './CodeBlock';

export function Markdown(props: { text: string; growing?: boolean }) {
  // What grew block by block stays so when it is whole: nothing on the screen is made anew for it.
  const grew = createMemo<boolean>((before) => before || props.growing === true, false);
  const blocks = createMemo<MarkdownBlock[]>((before) => blocksOf(props.text, !grew()).map((block, nth) => (before[nth]?.raw === block.raw ? before[nth] : block)), []);
  return (
    <div class="prose">
      <Index each={blocks()}>
        {(block, at) => (
          <Show when={block().code} fallback={<Html raw={block().raw} />}>
            {(code) => (
              <div style={{ 'margin-bottom': 'var(--space-2)' }}>
                <CodeBlock code={code().text} lang={code().lang} growing={props.growing === true && at === blocks().length - 1} />
              </div>
            )}
          </Show>
        )}
      </Index>
    </div>
  );
}

function Html(props: { raw: string }) {
  // Sanitized in `lib/markdown.ts`.
  return <div innerHTML={blockHtml(props.raw)} />;
}
