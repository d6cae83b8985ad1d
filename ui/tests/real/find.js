// How a story names what it looks for, and how that is found in a page: by what a person would call it. One
// function for every kind of window, so that a story means the same in all of them; it runs in the page and
// uses nothing from around it.
//
// A query: `css`, `role` and `name`, `label`, or `text`; several narrow each other down.

/** The first thing in view that `query` describes; nothing where there is none. */
export function find(query) {
  const ROLES = {
    button: 'button, summary, [role=button]',
    link: 'a[href]',
    radio: 'input[type=radio]',
    checkbox: 'input[type=checkbox]',
    tab: '[role=tab], nav a',
    textbox: 'textarea, input:not([type=radio]):not([type=checkbox])',
    menuitem: '[role=menuitem]',
  };
  const squeezed = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const labelOf = (element) => [...(element.labels ?? [])].map((label) => label.textContent).join(' ');
  const nameOf = (element) => {
    const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    return squeezed(element.getAttribute('aria-label') ?? (squeezed(by) || labelOf(element) || element.textContent));
  };
  const inView = (element) => {
    // A radio button is drawn by what stands around it.
    const drawn = element.matches('input[type=radio], input[type=checkbox]') ? (element.labels?.[0] ?? element) : element;
    return drawn.checkVisibility({ visibilityProperty: true }) && drawn.getClientRects().length > 0;
  };
  // What is beside an open dialog cannot be reached, but for messages, which stand above everything.
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  const roots = dialog ? [dialog, ...document.querySelectorAll('[popover]')] : [document.body];
  const css = query.css ?? (query.role ? ROLES[query.role] : query.label !== undefined ? 'input, textarea, select' : '*');
  const all = roots.flatMap((root) => [...root.querySelectorAll(css)]).filter((element) => {
    if (query.enabled && element.matches(':disabled')) return false;
    if (query.name !== undefined && !nameOf(element).includes(query.name)) return false;
    if (query.label !== undefined && !nameOf(element).includes(query.label)) return false;
    return query.text === undefined || squeezed(element.textContent).includes(query.text);
  });
  // Whatever contains the words, and nothing in it that does as well.
  const named = query.css === undefined && query.role === undefined && query.text !== undefined ? all.filter((one) => !all.some((other) => other !== one && one.contains(other))) : all;
  const seen = named.filter(inView);
  const exact = seen.find((element) => query.name !== undefined && nameOf(element) === query.name);
  return exact ?? seen[query.last ? seen.length - 1 : 0] ?? null;
}

/** Whether what has the focus, or stands around it, is what `query` describes. */
export function isFocused(found) {
  const active = document.activeElement;
  return found !== null && (active === found || found.contains(active));
}
