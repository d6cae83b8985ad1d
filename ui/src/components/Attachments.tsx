// Files that go with words: images as small pictures that open large, others by name and size.
import { For, Show, createSignal } from 'solid-js';
import { bytes } from '../lib/format';
import { Dialog } from './Dialog';
import { Icon } from './Icon';
import './attachments.css';

export interface ShownFile {
  sha256: string;
  name: string;
  media_type: string;
  size: number;
}

interface AttachmentsProps {
  files: readonly ShownFile[];
  addressOf: (file: ShownFile) => string;
  label: string;
  /** Images are what it is about: as large as they can be without filling the page. */
  large?: boolean;
  openLabel: (name: string) => string;
  onRemove?: ((sha256: string) => void) | undefined;
  removeLabel?: (name: string) => string;
}

export function Attachments(props: AttachmentsProps) {
  const [large, setLarge] = createSignal<ShownFile>();
  const isImage = (file: ShownFile): boolean => file.media_type.startsWith('image/');
  return (
    <Show when={props.files.length > 0}>
      <ul class="attachments" data-large={props.large ? '' : undefined} aria-label={props.label}>
        <For each={props.files}>
          {(file) => (
            <li class="attachment">
              <Show
                when={isImage(file)}
                fallback={
                  <a class="attachment-file" href={props.addressOf(file)} download={file.name}>
                    <Icon name="file" />
                    <span class="truncate">{file.name}</span>
                    <span class="faint numbers">{bytes(file.size)}</span>
                  </a>
                }
              >
                <button type="button" class="attachment-image" aria-label={props.openLabel(file.name)} title={file.name} onClick={() => setLarge(file)}>
                  <img src={props.addressOf(file)} alt={file.name} loading="lazy" decoding="async" />
                </button>
              </Show>
              <Show when={props.onRemove}>
                {(remove) => (
                  <button type="button" class="attachment-remove" aria-label={props.removeLabel?.(file.name) ?? file.name} onClick={() => remove()(file.sha256)}>
                    <Icon name="cross" />
                  </button>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={large()}>
        {(file) => (
          <Dialog title={file().name} wide onClose={() => setLarge(undefined)}>
            <img class="attachment-large" src={props.addressOf(file())} alt={file().name} />
          </Dialog>
        )}
      </Show>
    </Show>
  );
}
