// How tasks are grouped and sorted, to choose; the choice is kept.
import { For } from 'solid-js';
import { IconButton } from '../../components/Button';
import { Select } from '../../components/Field';
import { t } from '../../i18n';
import { GROUPINGS, SORTS, arrange, layout, type Grouping, type Sort } from '../../state/home';

export function LayoutFields() {
  return (
    <span class="tasklayout">
      <label>
        <span class="faint">{t().home.group.label}</span>
        <Select value={layout().group} onChange={(event) => arrange({ group: event.currentTarget.value as Grouping })}>
          <For each={GROUPINGS}>
            {(one) => (
              <option value={one} selected={one === layout().group}>
                {t().home.group[one]}
              </option>
            )}
          </For>
        </Select>
      </label>
      <label>
        <span class="faint">{t().home.sort.label}</span>
        <Select value={layout().sort} onChange={(event) => arrange({ sort: event.currentTarget.value as Sort, turned: false })}>
          <For each={SORTS}>
            {(one) => (
              <option value={one} selected={one === layout().sort}>
                {t().home.sort[one]}
              </option>
            )}
          </For>
        </Select>
      </label>
      <IconButton icon={layout().turned ? 'up' : 'down'} label={t().home.sort.turn} aria-pressed={layout().turned} onClick={() => arrange({ turned: !layout().turned })} />
    </span>
  );
}
