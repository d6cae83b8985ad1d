// Beside the conversation: what the agent does now, what changed, what it used, where it lives.
import { For, Show, Suspense, createMemo, createSignal, type JSX } from 'solid-js';
import type { Task } from '../../api/types';
import { Ago, Meter, PlusMinus } from '../../components/Bits';
import { IconButton } from '../../components/Button';
import { t } from '../../i18n';
import { later } from '../../lib/later';
import { basename, firstLine, splitPath, tokens } from '../../lib/format';
import { costText, costTitle } from '../../state/cost';
import type { Transcript } from '../../state/fold';
import type { ToolCall } from '../../state/rows';
import { harnessOf } from '../../state/harnesses';
import { isCounted } from '../../state/status';
import { told } from '../../state/told';
import { Limits } from './Limits';
import { Processes } from './Processes';
import { Use } from './Use';

const Sessions = later(() => import('./Sessions'));
const FILES_MAX = 12;

export function Aside(props: { task: Task; transcript: Transcript; onClose: () => void }) {
  const [processes, setProcesses] = createSignal(false);
  const [sessions, setSessions] = createSignal(false);
  return (
    <aside class="aside" tabindex="-1" aria-label={t().task.aside.title}>
      <div class="asidehead">
        <p class="asidetitle">{t().task.details}</p>
        <IconButton icon="cross" label={t().app.close} onClick={() => props.onClose()} />
      </div>
      <Now task={props.task} transcript={props.transcript} />
      <Changes task={props.task} />
      <Used task={props.task} />
      <Limits task={props.task} />
      <Place task={props.task} onProcesses={() => setProcesses(true)} onSessions={() => setSessions(true)} />
      <Show when={processes()}>
        <Processes task={props.task} onClose={() => setProcesses(false)} />
      </Show>
      <Show when={sessions()}>
        <Suspense>
          <Sessions task={props.task} onClose={() => setSessions(false)} />
        </Suspense>
      </Show>
    </aside>
  );
}

function Part(props: { title: JSX.Element; children: JSX.Element }) {
  return (
    <section class="part">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** The call under way that began last. */
function currentCall(transcript: Transcript): ToolCall | undefined {
  const rows = [...transcript.open.values()].map((place) => place.row).filter((row) => row >= 0);
  const row = transcript.rows[Math.max(-1, ...rows)];
  if (row?.kind === 'tool') return row.call;
  return row?.kind === 'reads' ? row.calls[row.calls.length - 1] : undefined;
}

function Now(props: { task: Task; transcript: Transcript }) {
  const call = createMemo(() => (props.task.state === 'running' ? currentCall(props.transcript) : undefined));
  const done = (): number => props.task.todos.filter((item) => item.status === 'completed').length;
  return (
    <Show when={call() ?? (props.task.todos.length > 0 ? true : undefined)}>
      <Part title={t().task.aside.now}>
        <Show when={call()}>
          {(one) => (
            <p class="nowcall">
              <span class="faint">{t().task.row.tool[one().tool]}</span> <code>{firstLine(one().command ?? one().path ?? one().name, 120)}</code>
            </p>
          )}
        </Show>
        <Show when={props.task.todos.length > 0}>
          <p class="faint numbers">{t().task.aside.todo(done(), props.task.todos.length)}</p>
          <ul role="list" class="todos">
            <For each={props.task.todos}>
              {(item) => (
                <li data-status={item.status}>
                  <span class="mark" role="img" aria-label={t().task.aside.status[item.status]}>
                    {item.status === 'completed' ? '✓' : item.status === 'in_progress' ? '◐' : '○'}
                  </span>
                  <span>{item.text}</span>
                </li>
              )}
            </For>
          </ul>
        </Show>
      </Part>
    </Show>
  );
}

function Changes(props: { task: Task }) {
  const words = (): ReturnType<typeof t>['task']['aside'] => t().task.aside;
  return (
    <For each={props.task.repositories}>
      {(repository) => (
        <Part
          title={
            <>
              {props.task.repositories.length > 1 ? basename(repository.path) : words().changes}
              <span class="spring" />
              <Show when={repository.diff.files.length > 0}>
                <PlusMinus added={repository.diff.added} removed={repository.diff.removed} />
              </Show>
            </>
          }
        >
          <Show when={repository.diff.files.length > 0} fallback={<p class="faint">{words().noChanges}</p>}>
            <ul role="list" class="files">
              <For each={repository.diff.files.slice(0, FILES_MAX)}>
                {(file) => (
                  <li>
                    <a href={`/tasks/${props.task.task_id}/review#${encodeURIComponent(file.path)}`} title={file.path}>
                      <span class="name">{splitPath(file.path).name}</span>
                      <span class="dir">{splitPath(file.path).dir}</span>
                    </a>
                    <PlusMinus added={file.added} removed={file.removed} />
                  </li>
                )}
              </For>
            </ul>
            <Show when={repository.diff.files.length + (repository.diff.more_files ?? 0) > FILES_MAX}>
              <p class="faint">{words().moreFiles(repository.diff.files.length + (repository.diff.more_files ?? 0) - FILES_MAX)}</p>
            </Show>
            <p class="faint" hidden={!isCounted(props.task, repository.diff)}>
              {words().commits(repository.diff.commits)}
              <Show when={repository.diff.uncommitted > 0}>, {words().uncommitted(repository.diff.uncommitted)}</Show>
            </p>
          </Show>
          <Show when={repository.pushed}>{(where) => <p class="faint">{words().pushed(where().replace(/@([0-9a-f]{7})[0-9a-f]+$/, '@$1'))}</p>}</Show>
        </Part>
      )}
    </For>
  );
}

function Line(props: { label: string; children: JSX.Element }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd class="numbers">{props.children}</dd>
    </div>
  );
}

function Used(props: { task: Task }) {
  const words = (): ReturnType<typeof t>['task']['aside'] => t().task.aside;
  const usage = () => props.task.usage;
  const context = (): number | undefined => {
    const { context_used: used, context_limit: limit } = usage();
    return used !== undefined && limit ? used / limit : undefined;
  };
  return (
    <Show when={usage().output_tokens > 0 || context() !== undefined}>
      <Part title={words().usage}>
        <dl>
          <Line label={words().tokensIn}>{tokens(usage().input_tokens + usage().cached_tokens + usage().cache_write_tokens)}</Line>
          <Show when={usage().cached_tokens > 0}>
            <Line label={words().tokensCached}>{tokens(usage().cached_tokens)}</Line>
          </Show>
          <Line label={words().tokensOut}>{tokens(usage().output_tokens)}</Line>
          <Show when={usage().reasoning_tokens > 0}>
            <Line label={words().tokensThought}>{tokens(usage().reasoning_tokens)}</Line>
          </Show>
          <Show when={usage().cost}>
            {(cost) => (
              <Line label={words().cost}>
                <span title={costTitle(cost())}>{costText(cost())}</span>
              </Line>
            )}
          </Show>
          <Show when={context() !== undefined}>
            <Line label={words().context}>
              {tokens(usage().context_used ?? 0)} / {tokens(usage().context_limit ?? 0)}
            </Line>
          </Show>
        </dl>
        <Show when={context() !== undefined}>
          <Meter share={context() ?? 0} label={words().context} />
        </Show>
      </Part>
    </Show>
  );
}

/** What is in use, and what was asked for where that is something else. */
function Told(props: { used: string; asked?: string }) {
  return (
    <>
      {props.used}
      <Show when={props.asked}>{(asked) => <span class="faint"> ({t().task.asked(asked())})</span>}</Show>
    </>
  );
}

function Place(props: { task: Task; onProcesses: () => void; onSessions: () => void }) {
  const words = (): ReturnType<typeof t>['task']['aside'] => t().task.aside;
  return (
    <Part title={words().box}>
      <Use task={props.task} onProcesses={props.onProcesses} />
      <dl>
        <Show when={props.task.box_kind ?? props.task.spec.box.kind}>{(kind) => <Line label={words().kind}>{t().compose.boxes[kind()]}</Line>}</Show>
        <Line label={words().host}>{props.task.spec.host}</Line>
        <Show when={props.task.box_name}>
          {(name) => (
            <Line label={words().name}>
              <code title={name()}>{basename(name())}</code>
            </Line>
          )}
        </Show>
        <Show when={props.task.spec.box.image}>
          {(image) => (
            <Line label={words().image}>
              <code title={image()}>{image()}</code>
            </Line>
          )}
        </Show>
        <Line label={words().harness}>
          {props.task.spec.harness} {props.task.run?.version ?? ''}
        </Line>
        <Show when={told(props.task.model, props.task.spec.model)}>{(model) => <Line label={words().model}><Told {...model()} /></Line>}</Show>
        <Show when={told(props.task.effort, props.task.spec.effort)}>{(effort) => <Line label={words().effort}><Told {...effort()} /></Line>}</Show>
        <Show when={props.task.agent_session !== undefined && harnessOf(props.task.spec.harness)?.abilities.adopt}>
          <Line label={t().home.sessions.line}>
            <button type="button" class="ref" aria-label={t().home.sessions.title} onClick={() => props.onSessions()}>
              {t().home.sessions.show}
            </button>
          </Line>
        </Show>
        <Line label={words().permission}>{t().compose.permissions[props.task.spec.permission_mode]}</Line>
        <Line label={words().created}>
          <Ago at={props.task.created_at} />
        </Line>
      </dl>
    </Part>
  );
}
