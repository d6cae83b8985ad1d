// One question: digits choose, Enter answers, anything else can be said in words of one's own.
import { For, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Question, Task } from '../../api/types';
import { Button } from '../../components/Button';
import { Kbd } from '../../components/Kbd';
import { Markdown } from '../../components/Markdown';
import { t } from '../../i18n';
import { useCommands, type Command } from '../../lib/commands';
import { newElementId } from '../../lib/ids';
import { isTyping } from '../../lib/keys';
import { cardDoes, cardKey, once } from './requests';

export function QuestionCard(props: { task: Task; question: Question }) {
  const id = newElementId('question');
  const [picked, setPicked] = createSignal<readonly string[]>([]);
  const [own, setOwn] = createSignal('');
  const sending = once(props.task.task_id);
  let input!: HTMLInputElement;
  const choices = () => props.question.choices ?? [];
  const ready = (): boolean => picked().length > 0 || own().trim() !== '';

  const pick = (label: string): void => {
    if (!props.question.multiple) setPicked([label]);
    else setPicked(picked().includes(label) ? picked().filter((one) => one !== label) : [...picked(), label]);
  };
  const send = (): void => {
    if (!ready()) return;
    const text = own().trim();
    const answer = { ...(picked().length > 0 ? { choices: [...picked()] } : {}), ...(text === '' ? {} : { text }) };
    sending.run(() => api.answer(props.task.task_id, props.question.question_id, answer));
  };
  const keys = createMemo((): Command[] => [cardKey('card-own', t().task.request.own, () => input.focus())]);
  useCommands(keys);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // With nothing to send, Enter means what it means elsewhere.
    if (event.key === 'Enter' && ready() && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      return send();
    }
    if (isTyping(event.target)) return;
    // A digit only chooses, so that it may mean something else elsewhere; Enter is what answers.
    const choice = choices()[Number(event.key) - 1];
    if (choice) pick(choice.label);
    else if (!cardDoes(event, keys())) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="card" tabindex="-1" aria-labelledby={id} onKeyDown={onKeyDown}>
      <header id={id}>
        <span class="kind">{props.question.header ?? t().inbox.question}</span>
        <Markdown text={props.question.text} />
        <Show when={props.question.multiple}>
          <span class="faint">{t().task.request.several}</span>
        </Show>
      </header>
      <ul role="list" class="choices">
        <For each={choices()}>
          {(choice, nth) => (
            <li>
              <label>
                <input type={props.question.multiple ? 'checkbox' : 'radio'} name={id} checked={picked().includes(choice.label)} onChange={() => pick(choice.label)} />
                <Kbd keys={String(nth() + 1)} />
                <span>
                  <b>{choice.label}</b>
                  <Show when={choice.description}> <span class="soft">{choice.description}</span></Show>
                </span>
              </label>
            </li>
          )}
        </For>
      </ul>
      <footer>
        <input ref={input} class="input" type="text" aria-label={t().task.request.own} placeholder={choices().length > 0 ? t().task.request.own : t().task.request.ownPlaceholder} value={own()} onInput={(event) => setOwn(event.currentTarget.value)} />
        <Button look="main" keys="enter" disabled={!ready()} onClick={send}>
          {t().task.request.answer}
        </Button>
      </footer>
    </section>
  );
}
