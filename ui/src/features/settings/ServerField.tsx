// One setting of the server: what it is called and does, its value as it is best given, who chose it, and the way back.
import { For, Match, Show, Switch as Choose, createEffect, type JSX } from 'solid-js';
import type { HarnessView, SettingView } from '../../api/types';
import { Button } from '../../components/Button';
import { Input, Segments, Select, Suggesting, Switch } from '../../components/Field';
import { t } from '../../i18n';
import { newElementId } from '../../lib/ids';
import { harnessTitle } from '../../state/harness';
import type { Drafts } from './drafts';
import { kindOf, readable, shownOf, sourceOf, sourceText, wordsOf, type Kind } from './fields';

interface ServerFieldProps {
  setting: SettingView;
  drafts: Drafts;
  harnesses: readonly HarnessView[];
}

export function ServerField(props: ServerFieldProps) {
  const id = newElementId('setting');
  const kind = (): Kind => kindOf(props.setting.key);
  const words = (): ReturnType<typeof wordsOf> => wordsOf(props.setting);
  const problem = (): string | undefined => props.drafts.problemOf(props.setting.key);
  const text = (): string => props.drafts.typed(props.setting);
  const isChanged = (): boolean => props.drafts.changed().includes(props.setting.key);
  const wide = (): boolean => {
    const one = kind();
    return one.as === 'lines' || one.as === 'choice' || (one.as === 'text' && one.long === true);
  };
  let root!: HTMLDivElement;
  createEffect(() => {
    if (problem() !== undefined && props.drafts.refused()[0] === props.setting.key) root.querySelector<HTMLElement>('.settingcontrol :is(input, select, textarea)')?.focus();
  });
  return (
    <div ref={root} class="setting" data-wide={wide() ? '' : undefined} data-changed={isChanged() ? '' : undefined}>
      <div class="settingwords">
        <Show when={kind().as !== 'choice'} fallback={<span class="label" aria-hidden="true">{words().label}</span>}>
          <label for={id}>{words().label}</label>
        </Show>
        <p class="hint" id={`${id}-hint`}>
          {words().help}
        </p>
      </div>
      <div class="settingcontrol">
        <Control {...props} id={id} kind={kind()} text={text()} invalid={problem() !== undefined} />
        <Show when={problem()}>
          {(said) => (
            <p class="problem" role="alert">
              {said()}
            </p>
          )}
        </Show>
      </div>
      <Meta setting={props.setting} changed={isChanged()} onReset={() => void props.drafts.reset(props.setting.key)} />
    </div>
  );
}

function Control(props: ServerFieldProps & { id: string; kind: Kind; text: string; invalid: boolean }) {
  const type = (text: string): void => props.drafts.type(props.setting, text);
  const locked = (): boolean => !props.setting.editable;
  const shared = (): { id: string; 'aria-describedby': string; 'aria-invalid': 'true' | undefined; readonly: boolean } => ({
    id: props.id,
    'aria-describedby': `${props.id}-hint`,
    'aria-invalid': props.invalid ? 'true' : undefined,
    readonly: locked(),
  });
  const onInput: JSX.EventHandler<HTMLInputElement | HTMLTextAreaElement, InputEvent> = (event) => type(event.currentTarget.value);
  const unset = (): string => wordsOf(props.setting).unset ?? t().set.notSet;
  const of = <A extends Kind['as']>(as: A): Extract<Kind, { as: A }> | undefined => (props.kind.as === as ? (props.kind as Extract<Kind, { as: A }>) : undefined);
  return (
    <Choose>
      <Match when={of('switch')}>
        <Switch id={props.id} describedBy={`${props.id}-hint`} disabled={locked()} checked={props.text === 'on'} onChange={(on) => type(on ? 'on' : 'off')} />
      </Match>
      <Match when={of('choice')}>{(kind) => <Segments label={wordsOf(props.setting).label} hideLabel options={kind().options()} value={props.text} onChange={type} />}</Match>
      <Match when={of('agent')}>
        <Select id={props.id} aria-describedby={`${props.id}-hint`} value={props.text} onChange={(event) => type(event.currentTarget.value)}>
          <For each={names(props.harnesses, props.text)}>
            {(name) => (
              <option value={name} selected={name === props.text}>
                {harnessTitle(name)}
              </option>
            )}
          </For>
        </Select>
      </Match>
      <Match when={of('number')}>
        {(kind) => (
          <span class="withunit">
            <Input {...shared()} inputmode="decimal" placeholder={unset()} title={props.setting.allowed} value={props.text} onInput={onInput} />
            <span class="unit">
              {t().set.units[kind().unit]}
              <Show when={readable(kind().unit, props.text)}>{(said) => <span class="faint"> {t().set.same(said())}</span>}</Show>
            </span>
          </span>
        )}
      </Match>
      <Match when={of('lines')}>
        <textarea {...shared()} class="input code" rows={3} spellcheck={false} placeholder={t().set.onePerLine} value={props.text} onInput={onInput} />
      </Match>
      <Match when={of('text')}>
        {(kind) => <Suggesting {...shared()} class={kind().long ? 'code' : ''} suggestions={kind().suggestions ?? []} placeholder={unset()} title={props.setting.allowed} value={props.text} onInput={onInput} />}
      </Match>
    </Choose>
  );
}

/** Agents that can be chosen; the one that is, in any case. */
function names(harnesses: readonly HarnessView[], chosen: string): string[] {
  const known = harnesses.map(({ name }) => name);
  return known.includes(chosen) || chosen === '' ? known : [chosen, ...known];
}

/** Who chose it, what it would be otherwise, when it holds, and the way back. */
function Meta(props: { setting: SettingView; changed: boolean; onReset: () => void }) {
  const source = (): ReturnType<typeof sourceOf> => sourceOf(props.setting);
  const overruled = (): boolean => props.setting.saved !== undefined && props.setting.saved !== props.setting.value && !props.setting.waits;
  const notes = (): string[] => {
    const { key, editable, live, waits, saved, default: preset } = props.setting;
    const words = t().set;
    const other = source().is !== 'default';
    return [
      other && editable ? (shownOf(key, preset) === '' || preset === '' ? words.noDefault : words.isDefault(shownOf(key, preset))) : '',
      overruled() ? words.overruled(shownOf(key, saved ?? '')) : '',
      waits ? words.waits : !live && props.changed ? words.restart : '',
      editable ? '' : words.fixed,
    ].filter((note) => note !== '');
  };
  return (
    <p class="settingmeta">
      <span class="source" data-source={source().is}>
        {sourceText(source())}
      </span>
      <For each={notes()}>{(note) => <span>{note}</span>}</For>
      <Show when={props.setting.saved !== undefined}>
        <Button look="bare" icon="undo" aria-label={t().set.resetOf(wordsOf(props.setting).label)} onClick={() => props.onReset()}>
          {t().set.reset}
        </Button>
      </Show>
    </p>
  );
}
