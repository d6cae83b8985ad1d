// How the agent works from now on: model, effort, permission mode; only what its harness has. The account, while no
// agent runs.
import { For, Index, Show, createMemo, createSignal } from 'solid-js';
import { api } from '../../api/client';
import type { Abilities, OfferedModel, PermissionMode, Task, Tuning } from '../../api/types';
import { Problem } from '../../components/Bits';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field, Select, Suggesting, type Suggestion } from '../../components/Field';
import { t } from '../../i18n';
import { createAsked } from '../../lib/asked';
import { createAttempt } from '../../state/attempt';
import { suggestedModels } from '../../state/harness';
import { harnessOf } from '../../state/harnesses';
import { createOffers, modelNamed } from '../../state/offers';
import { look } from '../../state/tasks';
import { toast } from '../../state/toasts';

export function TuneDialog(props: { task: Task; onClose: () => void }) {
  const [model, setModel] = createSignal('');
  const [effort, setEffort] = createSignal('');
  const [mode, setMode] = createSignal<PermissionMode | ''>('');
  const [account, setAccount] = createSignal('');
  const kept = createAsked(() => api.accounts());
  const accounts = createMemo(() => (kept() ?? []).filter((one) => one.harness === props.task.spec.harness));
  const tried = createAttempt();
  const can = () => harnessOf(props.task.spec.harness)?.abilities;
  const offers = createOffers(() => props.task);
  const listed = (): OfferedModel[] => offers().models ?? [];
  /** The one that is typed, or where none is, the one that works now. */
  const meant = (): OfferedModel | undefined => modelNamed(offers(), model().trim() || (props.task.spec.model ?? props.task.model));
  const about = (): string | undefined => {
    if (model().trim() === '' || listed().length === 0) return undefined;
    const { name, description, efforts } = meant() ?? {};
    if (!meant()) return t().offers.unlisted;
    return [name, description, efforts && t().offers.efforts(efforts.join(', '))].filter(Boolean).join(' · ') || undefined;
  };
  const models = (abilities: Abilities): readonly (string | Suggestion)[] =>
    listed().length === 0 ? suggestedModels(abilities) : listed().map((one) => ({ value: one.id, label: [one.name ?? one.stands_for, one.id === offers().model && t().offers.current].filter(Boolean).join(' · ') }));
  /** What the model takes, of what the agent can be told; all of that where the program does not say. */
  const efforts = (abilities: Abilities | undefined): string[] => {
    const told = meant()?.efforts;
    const all = abilities?.efforts ?? [];
    return told === undefined ? all : all.filter((one) => told.includes(one));
  };
  /** The one that was chosen, while what is named takes it: what is shown is what is sent. */
  const effortMeant = (): string => (efforts(can()).includes(effort()) ? effort() : '');
  const lives = (): boolean => props.task.run !== undefined && props.task.run.exit === undefined;
  const may = (switchable: boolean | undefined): boolean => !lives() || switchable === true;
  const tuning = (): Tuning => {
    const chosen = mode();
    return {
      ...(model().trim() === '' ? {} : { model: model().trim() }),
      ...(effortMeant() === '' ? {} : { effort: effortMeant() }),
      ...(chosen === '' ? {} : { permission_mode: chosen }),
      ...(account() === '' ? {} : { account: account() }),
    };
  };
  const apply = (): Promise<boolean> =>
    tried.run(async () => {
      await api.tune(props.task.task_id, tuning());
      toast(t().policy.tune.applied);
      look(props.task.task_id);
      props.onClose();
    });
  const words = (): ReturnType<typeof t>['policy']['tune'] => t().policy.tune;
  return (
    <Dialog
      title={words().title}
      onClose={props.onClose}
      act={
        <Button look="main" disabled={tried.busy() || Object.keys(tuning()).length === 0} onClick={() => void apply()}>
          {words().apply}
        </Button>
      }
    >
      <Show when={!lives()}>
        <p class="soft">{words().stopped}</p>
      </Show>
      <Show when={can()}>
        {(abilities) => (
          <>
            <Show when={abilities().models.choice === 'free' && may(abilities().model_switch)}>
              <Field label={words().model} hint={about()}>
                {(ids) => (
                  <Suggesting {...ids} suggestions={models(abilities())} placeholder={props.task.model ?? props.task.spec.model ?? words().same} value={model()} onInput={(event) => setModel(event.currentTarget.value)} />
                )}
              </Field>
            </Show>
            <Show when={abilities().efforts.length > 0 && may(abilities().effort_switch)}>
              <Field label={words().effort}>
                {(ids) => (
                  <Select {...ids} onChange={(event) => setEffort(event.currentTarget.value)}>
                    <option value="" selected={effortMeant() === ''}>
                      {words().same}
                    </option>
                    <For each={efforts(abilities())}>
                      {(one) => (
                        <option value={one} selected={one === effortMeant()}>
                          {one}
                        </option>
                      )}
                    </For>
                  </Select>
                )}
              </Field>
            </Show>
            <Show when={abilities().permission_modes.length > 1 && may(abilities().mode_switch)}>
              <Field label={words().mode}>
                {(ids) => (
                  <Select {...ids} value={mode()} onChange={(event) => setMode(event.currentTarget.value as PermissionMode | '')}>
                    <option value="">
                      {words().same}: {t().compose.permissions[props.task.spec.permission_mode]}
                    </option>
                    <Index each={abilities().permission_modes}>{(one) => <option value={one()}>{t().compose.permissions[one()]}</option>}</Index>
                  </Select>
                )}
              </Field>
            </Show>
          </>
        )}
      </Show>
      <Show when={!lives() && accounts().length > 0}>
        <Field label={t().policy.accounts.account}>
          {(ids) => (
            <Select {...ids} value={account()} onChange={(event) => setAccount(event.currentTarget.value)}>
              <option value="">{[words().same, props.task.spec.account ?? props.task.run?.account].filter(Boolean).join(': ')}</option>
              <For each={accounts()}>{(one) => <option value={one.name}>{one.name}</option>}</For>
            </Select>
          )}
        </Field>
      </Show>
      <Problem text={tried.problem()} />
    </Dialog>
  );
}
