// One repository of a new task: its path, completed from those used before and looked at as it is typed,
// and what the branch starts from.
import { For, Show, createEffect, createSignal, on, onCleanup } from 'solid-js';
import { api } from '../../api/client';
import { ApiError } from '../../api/error';
import type { KnownRepository, RepositoryInfo } from '../../api/types';
import { IconButton } from '../../components/Button';
import { Field, Input } from '../../components/Field';
import { t } from '../../i18n';
import { newElementId } from '../../lib/ids';
import { messageOf } from '../../lib/message';
import type { RepositoryForm } from './form';

const LOOK_AFTER_MS = 350;

interface RepositoryFieldProps {
  value: RepositoryForm;
  known: KnownRepository[];
  onChange: (value: RepositoryForm) => void;
  onRemove?: (() => void) | undefined;
}

type Look = { is: 'none' } | { is: 'looking' } | { is: 'found'; info: RepositoryInfo } | { is: 'bad'; message: string };

export function RepositoryField(props: RepositoryFieldProps) {
  const paths = newElementId('paths');
  const bases = newElementId('bases');
  const [look, setLook] = createSignal<Look>({ is: 'none' });
  createEffect(
    on(
      () => props.value.path.trim(),
      (path) => {
        if (!path.startsWith('/')) {
          setLook({ is: 'none' });
          return;
        }
        const stop = new AbortController();
        const timer = setTimeout(() => void inspect(path, stop.signal), LOOK_AFTER_MS);
        onCleanup(() => {
          clearTimeout(timer);
          stop.abort();
        });
      },
    ),
  );
  const inspect = async (path: string, signal: AbortSignal): Promise<void> => {
    setLook({ is: 'looking' });
    try {
      setLook({ is: 'found', info: await api.inspect(path, signal) });
    } catch (error) {
      if (signal.aborted) return;
      // A server that cannot look is no reason to doubt the path.
      setLook(error instanceof ApiError && error.status < 500 ? { is: 'bad', message: messageOf(error) } : { is: 'none' });
    }
  };
  const [branches, setBranches] = createSignal<string[]>([]);
  createEffect(
    on([() => found()?.path, () => props.value.base.trim()], ([path, prefix]) => {
      setBranches(found()?.branches ?? []);
      if (path === undefined || prefix === '') return;
      const stop = new AbortController();
      const timer = setTimeout(() => void api.branches(path, prefix, stop.signal).then((all) => setBranches(all.map((one) => one.name)), () => undefined), LOOK_AFTER_MS);
      onCleanup(() => {
        clearTimeout(timer);
        stop.abort();
      });
    }),
  );
  const found = (): RepositoryInfo | undefined => {
    const now = look();
    return now.is === 'found' ? now.info : undefined;
  };
  const problem = (): string | undefined => {
    const now = look();
    return now.is === 'bad' ? now.message : undefined;
  };
  return (
    <div class="repo">
      <Field label={t().compose.repository} hint={<Hint look={look()} />} problem={problem()}>
        {(ids) => <Input {...ids} class="code" list={paths} placeholder={t().compose.repositoryPlaceholder} value={props.value.path} onInput={(event) => props.onChange({ ...props.value, path: event.currentTarget.value })} />}
      </Field>
      <Field label={t().compose.base}>
        {(ids) => <Input {...ids} class="code" list={bases} placeholder={found()?.branch ?? t().compose.basePlaceholder} value={props.value.base} onInput={(event) => props.onChange({ ...props.value, base: event.currentTarget.value })} />}
      </Field>
      <Show when={props.onRemove}>{(remove) => <IconButton icon="cross" label={t().compose.removeRepository} onClick={() => remove()()} />}</Show>
      <datalist id={paths}>
        <For each={props.known}>{(one) => <option value={one.path} />}</For>
      </datalist>
      <datalist id={bases}>
        <For each={[...new Set([found()?.branch, found()?.default_branch, ...branches()])].filter((one) => one !== undefined)}>{(branch) => <option value={branch} />}</For>
      </datalist>
    </div>
  );
}

function Hint(props: { look: Look }) {
  const words = (): string => {
    const { look } = props;
    const texts = t().compose.inspect;
    if (look.is === 'none' || look.is === 'bad') return t().compose.repositoryHint;
    if (look.is === 'looking') return texts.looking;
    const { info } = look;
    const where = info.branch === undefined ? texts.detached : texts.ok(info.branch);
    return [where, info.shallow ? texts.shallow : '', info.dirty ? texts.dirty : '', ...info.notices].filter(Boolean).join(' · ');
  };
  return <>{words()}</>;
}
