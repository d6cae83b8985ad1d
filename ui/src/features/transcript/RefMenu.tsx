// What can be done with a path or a commit that stands in a conversation: look at it in the review where it
// changed, or copy it for an editor.
import { useNavigate } from '@solidjs/router';
import { Show, createSignal, onCleanup, onMount } from 'solid-js';
import type { Task } from '../../api/types';
import { pressRef, refOf, type Pressed } from '../../components/Linked';
import { MenuPanel, type MenuItem } from '../../components/Menu';
import { t } from '../../i18n';
import { newElementId } from '../../lib/ids';
import { copyText } from '../../state/copy';

/** Hears presses inside of `around`. */
export function RefMenu(props: { task: Task; around: HTMLElement }) {
  const navigate = useNavigate();
  const id = newElementId('ref');
  const [pressed, setPressed] = createSignal<Pressed>();
  const onClick = (event: MouseEvent): void => {
    const ref = refOf(event);
    if (ref) setPressed(ref);
  };
  onMount(() => {
    props.around.addEventListener('click', onClick);
    props.around.addEventListener('keydown', pressRef);
  });
  onCleanup(() => {
    props.around.removeEventListener('click', onClick);
    props.around.removeEventListener('keydown', pressRef);
  });
  const items = (ref: Pressed): MenuItem[] => {
    const review = (query: string): void => navigate(`/tasks/${props.task.task_id}/review${query}`);
    if ('commit' in ref) {
      return [
        { label: t().task.ref.showCommit, icon: 'commit', run: () => review(`?commit=${encodeURIComponent(ref.commit)}`) },
        { label: t().task.ref.copyCommit, icon: 'copy', run: () => void copyText(ref.commit) },
      ];
    }
    const changed = changedFile(props.task, ref.path);
    const full = absolute(props.task, ref.path);
    const line = ref.line === undefined ? '' : `:${ref.line}`;
    return [
      ...(changed === undefined ? [] : [{ label: t().task.ref.showChange, icon: 'file' as const, run: () => review(`#${encodeURIComponent(changed)}`) }]),
      { label: t().task.ref.copyPath, icon: 'copy', run: () => void copyText(`${ref.path}${line}`) },
      ...(full === ref.path ? [] : [{ label: t().task.ref.copyFull, icon: 'copy' as const, run: () => void copyText(`${full}${line}`) }]),
    ];
  };
  const leave = (): void => void setPressed(undefined);
  const close = (): void => {
    pressed()?.element.focus();
    leave();
  };
  return (
    <Show when={pressed()} keyed>
      {(ref) => <MenuPanel id={id} label={'commit' in ref ? ref.commit : ref.path} items={items(ref)} over={ref.element} onClose={close} onLeave={leave} />}
    </Show>
  );
}

/** The path, as the review knows it, of a changed file that `path` names. */
function changedFile(task: Task, path: string): string | undefined {
  const files = task.repositories.flatMap((one) => one.diff.files.map((file) => ({ full: `${one.path}/${file.path}`, path: file.path })));
  const clean = path.replace(/^(?:\.\/)+/, '');
  return (files.find((file) => file.full === clean || file.path === clean) ?? files.find((file) => file.full.endsWith(`/${clean}`) || clean.endsWith(`/${file.path}`)))?.path;
}

/** The path on the host, where it is below the only repository. */
function absolute(task: Task, path: string): string {
  const [only, other] = task.repositories;
  if (!only || other || /^[/~]/.test(path)) return path;
  return `${only.path}/${path.replace(/^(?:\.\/)+/, '')}`;
}
