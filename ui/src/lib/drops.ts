// Files that are dropped where nothing takes them: the browser would leave the page for them.

export function holdDrops(on: Document): void {
  const holds = (event: DragEvent): boolean => !event.defaultPrevented && (event.dataTransfer?.types.includes('Files') ?? false);
  on.addEventListener('dragover', (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  on.addEventListener('drop', (event) => {
    if (holds(event)) event.preventDefault();
  });
}
