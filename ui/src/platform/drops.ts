// Files that are dropped: which drags hold some, and what becomes of those that nothing takes.
import { inShell } from './shell';

/** Whether a drag holds files. WebKitGTK keeps those from pages: of a drag of files it says that it has addresses, and
    no words; that of a link has both. */
export function holdsFiles(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes('Files') || (inShell() && types.includes('text/uri-list') && !types.includes('text/plain'));
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
