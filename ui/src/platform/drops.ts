// Files that are dropped or pasted: what holds some, and what becomes of those that are dropped where nothing takes them.
import { inShell } from './shell';

/** Whether a drag holds files. WebKitGTK keeps those from pages: of a drag of files it says that it has addresses, and
    no words; that of a link has both. */
export function holdsFiles(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes('Files') || (inShell() && types.includes('text/uri-list') && !types.includes('text/plain'));
}

/** Whether what is pasted is nothing to the page and may be something to the window: WebKitGTK keeps files and pictures
    of the clipboard from pages. */
export function keepsPasted(data: DataTransfer | null): boolean {
  return inShell() && data !== null && data.files.length === 0 && !data.types.includes('text/plain');
}

/** Has files that nothing takes stay where they are: the browser would leave the page for them. */
export function holdDrops(on: Document): void {
  const holds = (event: DragEvent): boolean => !event.defaultPrevented && holdsFiles(event.dataTransfer);
  on.addEventListener('dragover', (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  on.addEventListener('drop', (event) => {
    if (holds(event)) event.preventDefault();
  });
}
