// The composer of a task: what is written is kept until it is sent; Enter sends, Shift+Enter breaks the
// line. What happens on sending depends on the state, and is said beforehand.
import { Show, createEffect, createSignal, on } from 'solid-js';
import type { Task, When } from '../../api/types';
import { fileAddress } from '../../api/calls/hand';
import { Attachments } from '../../components/Attachments';
import { Button, IconButton } from '../../components/Button';
import { tip } from '../../components/Tooltip';
import { t } from '../../i18n';
import { useCommands } from '../../lib/commands';
import { createAttached, type Attached } from '../../state/attach';
import { draftOf, forgetDraft, keepDraft } from '../../state/drafts';
import { sendMessage } from '../../state/outbox';
import { harnessOf } from '../../state/harnesses';
import { isWorking, saying } from '../../state/status';
import { look } from '../../state/tasks';
import { SlashList, createSlash } from './Slash';
import { takesFiles } from './takes';
import './compose.css';

const HEIGHT_MAX = 240;

export function Composer(props: { task: Task }) {
  const [text, setText] = createSignal('');
  const attached = createAttached(props.task.task_id);
  let area!: HTMLTextAreaElement;
  createEffect(
    on(
      () => props.task.task_id,
      (id) => {
        setText(draftOf(id));
        attached.open(id);
      },
    ),
  );
  createEffect(on(text, () => fitHeight(area)));
  const allowed = (): boolean => saying(props.task).now;
  const canWait = (): boolean => saying(props.task).later;
  const open = (): boolean => allowed() || canWait();
  /** Whether the agent hears in its turn what is said then; nothing while that is not known. */
  const steers = (): boolean | undefined => harnessOf(props.task.spec.harness)?.abilities.steer;
  /** It would wait with the agent, where nobody can change it: it waits here. */
  const waits = (): boolean => allowed() && canWait() && steers() === false;
  const usual = (): When => (waits() ? 'after_turn' : 'now');
  const sendWords = (): string => {
    if (waits()) return t().box.queue.add;
    return isWorking(props.task.state) && steers() ? t().task.reply.sendSteers : t().task.reply.send;
  };
  const placeholder = (): string => {
    if (!open()) return t().task.reply.closed;
    if (!allowed()) return t().task.reply.placeholderQueue;
    if (isWorking(props.task.state) && steers() !== undefined) return steers() ? t().task.reply.placeholderRunning : t().task.reply.placeholderWaits;
    return props.task.allowed.includes('revive') ? t().task.reply.placeholderRevive : t().task.reply.placeholder;
  };
  const write = (value: string): void => {
    setText(value);
    keepDraft(props.task.task_id, value);
  };
  const send = (when: When = 'now'): void => {
    const message = text().trim();
    if (message === '' || attached.busy() > 0 || (when === 'now' ? !allowed() : !canWait())) return;
    const sent = sendMessage(props.task.task_id, message, when, attached.files());
    // From here on the outbox has it.
    setText('');
    forgetDraft(props.task.task_id);
    attached.clear();
    void sent.then(() => look(props.task.task_id));
  };
  const slash = createSlash(() => props.task, text, write);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || slash.key(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      // While the agent starts it hears nothing: what is sent then waits for it.
      send(canWait() && (event.altKey || !allowed()) ? 'after_turn' : usual());
    } else if (event.key === 'Escape') area.blur();
  };
  useCommands(() => [{ id: 'reply', title: t().keys.focusComposer, group: t().keys.task, run: () => area.focus() }]);
  return (
    <form class="reply" onSubmit={(event) => (event.preventDefault(), send(usual()))} {...takesFiles(attached, open)}>
      <Attaching attached={attached} disabled={!open()} />
      <SlashList slash={slash} over={() => area.form ?? area} />
      <textarea ref={area} rows="1" aria-autocomplete="list" aria-controls={slash.list().length > 0 ? slash.id : undefined} aria-activedescendant={slash.list().length > 0 ? slash.option(slash.at()) : undefined} aria-label={t().task.reply.label} placeholder={placeholder()} disabled={!open()} value={text()} onInput={(event) => write(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <Show when={canWait() && !waits() && text().trim() !== ''}>
        <Button icon="clock" keys="alt+enter" onClick={() => send('after_turn')}>
          {t().box.queue.add}
        </Button>
      </Show>
      <Button type="submit" look={text().trim() === '' ? 'bare' : 'main'} data-icon="" aria-label={waits() ? t().box.queue.add : t().task.reply.send} disabled={!allowed() || text().trim() === ''} icon={waits() ? 'clock' : 'send'} {...tip(sendWords, () => 'enter')} />
    </form>
  );
}

/** What goes along, and the way to choose more of it. */
export function Attaching(props: { attached: Attached; disabled?: boolean }) {
  let chooser!: HTMLInputElement;
  return (
    <>
      <Show when={props.attached.files().length > 0 || props.attached.busy() > 0}>
        <div class="attaching">
          <Attachments
            files={props.attached.files()}
            addressOf={(file) => fileAddress(file)}
            label={t().hand.files}
            openLabel={t().hand.open}
            removeLabel={t().hand.remove}
            onRemove={props.attached.remove}
          />
          <Show when={props.attached.busy() > 0}>
            <span class="faint" role="status">
              {t().hand.uploading(props.attached.busy())}
            </span>
          </Show>
        </div>
      </Show>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t().hand.attach}
        onChange={(event) => {
          props.attached.add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <IconButton icon="plus" label={t().hand.attach} disabled={props.disabled ?? false} onClick={() => chooser.click()} />
    </>
  );
}

/** Whether the browser itself makes a field as high as its text, without laying out the page for it. */
const FITS_ITSELF = typeof CSS !== 'undefined' && CSS.supports?.('field-sizing', 'content') === true;

/** Makes a text area as high as its text, up to a limit. */
export function fitHeight(area: HTMLTextAreaElement | undefined, max = HEIGHT_MAX): void {
  if (!area) return;
  if (FITS_ITSELF) {
    area.style.maxHeight = `${max}px`;
    return;
  }
  area.style.height = 'auto';
  area.style.height = `${Math.min(max, area.scrollHeight)}px`;
}
