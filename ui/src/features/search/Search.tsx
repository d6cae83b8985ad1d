// Search in the history of all tasks: hits grouped by task, best first; each leads to its place in the
// conversation.
import { A, useSearchParams } from '@solidjs/router';
import { For, Show, createEffect, createMemo, createSignal, on, onCleanup, onMount } from 'solid-js';
import { api } from '../../api/client';
import type { SearchHit, SearchPage } from '../../api/types';
import { Ago, Callout, Empty, Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Input } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { messageOf } from '../../lib/message';
import { groupHits, piecesOf } from '../../state/hits';
import { harnessTitle } from '../../state/harness';
import './search.css';

/** Somebody who types is not answered at every letter. */
const ASK_AFTER_MS = 150;
/** Hits of one task that are in view at first. */
const OF_TASK = 4;

export function Search() {
  const [params, setParams] = useSearchParams<{ q?: string }>();
  const [typed, setTyped] = createSignal(params.q ?? '');
  const [wanted, setWanted] = createSignal(typed().trim());
  const [further, setFurther] = createSignal<SearchPage[]>([]);
  const [problem, setProblem] = createSignal<string>();
  let input!: HTMLInputElement;
  onMount(() => input.focus());
  createEffect(
    on(typed, (text) => {
      const timer = setTimeout(() => setWanted(text.trim()), ASK_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    }, { defer: true }),
  );
  createEffect(on(wanted, (q) => (setFurther([]), setProblem(undefined), setParams({ q: q === '' ? undefined : q }, { replace: true })), { defer: true }));
  const first = createAsked(() => wanted() !== '' && wanted(), (q) => api.search(q));
  const pages = createMemo(() => [first(), ...further()].filter((page): page is SearchPage => page !== undefined));
  const last = (): SearchPage | undefined => pages().at(-1);
  const groups = createMemo(() => groupHits(pages().flatMap((page) => page.items)));
  // A task whose hits are all shown goes on showing them when more are found.
  const tasks = createMemo(() => groups().map((group) => group.task), [], { equals: (a, b) => a.join() === b.join() });
  const hitsOf = (task: string): readonly SearchHit[] => groups().find((group) => group.task === task)?.hits ?? [];
  const more = async (): Promise<void> => {
    const from = last()?.next_cursor;
    const q = wanted();
    if (from === undefined) return;
    try {
      const page = await api.search(q, from);
      // Two presses ask for the same page: it is shown once.
      if (q === wanted() && from === last()?.next_cursor) setFurther((all) => [...all, page]);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <main id="main" class="main" tabindex="-1">
      <div class="pagehead">
        <h1>{t().around.search.title}</h1>
      </div>
      <form class="searchhead" role="search" onSubmit={(event) => (event.preventDefault(), setWanted(typed().trim()))}>
        <Input ref={(element: HTMLInputElement) => (input = element)} type="search" aria-label={t().around.search.label} placeholder={t().around.search.placeholder} value={typed()} onInput={(event) => setTyped(event.currentTarget.value)} />
        <p class="faint">{t().around.search.hint}</p>
      </form>
      <div class="scroll">
        <div class="hits" aria-busy={first.loading ? 'true' : undefined}>
          <Show when={wanted() !== ''} fallback={<Empty title={t().around.search.start} />}>
            <Show when={first.error}>{(error) => <Callout tone="attention" role="alert">{messageOf(error())}</Callout>}</Show>
            <Show when={first()}>
              {(page) => (
                <>
                  <p class="faint" role="status">
                    {page().ranked > 0 ? t().around.search.count(page().ranked, page().more) : ''}
                  </p>
                  <Show when={page().unread > 0}>
                    <Callout tone="progress">{t().around.search.unread(page().unread)}</Callout>
                  </Show>
                  <Show when={page().items.length === 0}>
                    <Empty title={t().around.search.none} text={t().around.search.noneText} />
                  </Show>
                </>
              )}
            </Show>
            <For each={tasks()}>{(task) => <OfTask hits={hitsOf(task)} />}</For>
            <Problem text={problem()} />
            <Show when={last()?.next_cursor}>
              <div>
                <Button onClick={() => void more()}>{t().around.search.moreHits}</Button>
              </div>
            </Show>
          </Show>
        </div>
      </div>
    </main>
  );
}

function OfTask(props: { hits: readonly SearchHit[] }) {
  const [all, setAll] = createSignal(false);
  // A group that is just going away has none any more.
  const task = createMemo<SearchHit>((before) => props.hits[0] ?? before!);
  const shown = createMemo(() => (all() ? props.hits : props.hits.slice(0, OF_TASK)));
  return (
    <section class="hitgroup" aria-label={task().title}>
      <h2>
        <A href={`/tasks/${task().task_id}`}>{task().title}</A>{' '}
        <span class="faint">
          {harnessTitle(task().harness)}
          {task().state ? ` · ${t().state[task().state!]}` : ''}
        </span>
      </h2>
      <ul role="list">
        <For each={shown()}>{(hit) => <Hit hit={hit} />}</For>
      </ul>
      <Show when={!all() && props.hits.length > OF_TASK}>
        <Button look="bare" onClick={() => setAll(true)}>
          {t().around.search.moreOfThis(props.hits.length - OF_TASK)}
        </Button>
      </Show>
    </section>
  );
}

function Hit(props: { hit: SearchHit }) {
  return (
    <li>
      <A class="hit" href={`/tasks/${props.hit.task_id}?at=${props.hit.seq}`}>
        <span class="hitkind faint">{t().around.search.kinds[props.hit.kind]}</span>
        <span class="hitwords">
          <For each={piecesOf(props.hit)}>{(piece) => (piece.marked ? <mark>{piece.text}</mark> : piece.text)}</For>
        </span>
        <span class="faint">
          <Ago at={props.hit.happened_at} />
        </span>
      </A>
    </li>
  );
}
