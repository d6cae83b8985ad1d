// The journal itself, event by event, for those who want to know exactly what happened.
import { Show, createMemo, createSignal, onCleanup } from 'solid-js';
import { BASE, taskPath } from '../../api/http';
import type { ServerEvent } from '../../api/sse';
import { follow } from '../../api/stream';
import type { JournalEvent } from '../../api/types';
import type { OpenTranscript } from '../../state/transcripts';
import { CodeBlock } from '../../components/CodeBlock';
import { Empty } from '../../components/Bits';
import { VirtualList } from '../../components/VirtualList';
import { locale, t } from '../../i18n';
import { moment } from '../../lib/format';
import { Fold } from './Fold';
import './log.css';

const ROW = 28;

interface LogLine {
  event: JournalEvent;
  /** What it says beside the common fields. */
  rest: string;
}

export default function Log(props: { id: string; open: OpenTranscript }) {
  const [lines, setLines] = createSignal<LogLine[]>([]);
  const [words, setWords] = createSignal('');
  const stop = new AbortController();
  let waiting: LogLine[] = [];
  let held: readonly ServerEvent[] | undefined = [];
  let last = 0;
  let due = false;
  const take = (events: readonly ServerEvent[]): void => {
    for (const event of events) {
      if (event.name === 'reset') {
        setLines([]);
        waiting = [];
        last = 0;
      }
      if (event.name !== 'event' || Number(event.id) <= last) continue;
      last = Number(event.id);
      waiting.push(lineOf(event.data));
    }
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      const more = waiting;
      waiting = [];
      setLines((all) => all.concat(more));
    }, 50);
  };
  // History over a stream of its own, which ends with it; what comes then, over the one that is there.
  const takeHistory = (events: ServerEvent[]): void => {
    take(events);
    if (!held || !events.some((event) => event.name === 'ready')) return;
    stop.abort();
    take(held);
    held = undefined;
  };
  props.open.listen((events) => (held ? (held = [...held, ...events]) : take(events)));
  void follow({ url: `${BASE}${taskPath(props.id, '/events')}`, signal: stop.signal, onState: () => undefined, onEvents: takeHistory });
  onCleanup(() => stop.abort());
  const shown = createMemo(() => {
    const wanted = words().trim().toLowerCase();
    if (wanted === '') return lines();
    return lines().filter((line) => line.event.type.includes(wanted) || line.rest.toLowerCase().includes(wanted));
  });
  return (
    <div class="logpage">
      <div class="loghead">
        <input class="input" type="search" aria-label={t().task.log.filter} placeholder={t().task.log.filter} value={words()} onInput={(event) => setWords(event.currentTarget.value)} />
        <span class="faint numbers">{t().task.log.count(shown().length)}</span>
      </div>
      <Show when={shown().length > 0} fallback={<Empty title={t().task.log.empty} />}>
        <VirtualList
          count={shown().length}
          guess={() => ROW}
          row={(index) => <Show when={shown()[index]}>{(line) => <Line line={line()} />}</Show>}
          label={t().task.log.title}
          newBelow={t().task.list.newBelow}
          toEndLabel={t().task.list.toEnd}
        />
      </Show>
    </div>
  );
}

function lineOf(data: string): LogLine {
  const event = JSON.parse(data) as JournalEvent;
  const { event_id: _id, ts: _ts, seq: _seq, task_id: _task, run_id: _run, turn_id: _turn, type: _type, ...rest } = event as JournalEvent & Record<string, unknown>;
  return { event, rest: JSON.stringify(rest) };
}

function Line(props: { line: LogLine }) {
  return (
    <Fold
      icon="right"
      quiet
      head={
        <>
          <span class="numbers faint logno">{props.line.event.seq}</span>
          <code class="verb">{props.line.event.type}</code>
          <code class="truncate faint">{props.line.rest.slice(0, 300)}</code>
        </>
      }
      tail={<span class="numbers" title={moment(props.line.event.ts, locale())}>{new Date(props.line.event.ts).toLocaleTimeString(locale())}</span>}
    >
      <CodeBlock code={JSON.stringify(props.line.event, null, 2)} lang="json" capped />
    </Fold>
  );
}
