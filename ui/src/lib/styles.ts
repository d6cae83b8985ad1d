// Styles that were lost on their way: a browser drops all that is under way when a network of the machine comes or
// goes, and every container brings one. A page without them works and cannot be read.

/** Asks once more for each style of the page that did not come. Those that come later are asked for by who needs them. */
export function mendStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (!came(link)) link.replaceWith(link.cloneNode());
  }
}

/** One that failed has a sheet in some browsers, whose rules cannot be read. */
function came(link: HTMLLinkElement): boolean {
  try {
    return (link.sheet?.cssRules.length ?? 0) > 0;
  } catch {
    return false;
  }
}
