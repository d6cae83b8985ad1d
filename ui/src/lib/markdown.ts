// Markdown to safe HTML, block by block, so that a message that grows redraws its last block alone.
// What an agent writes is hostile: everything goes through DOMPurify, nothing is loaded from outside,
// links open elsewhere and know nothing of us.
import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';
import { wholeRef } from './refs';

/** Most blocks whose HTML is remembered. */
const REMEMBERED = 2000;
/** Longer texts are shown as they are. */
const TEXT_MAX = 400_000;

const marked = new Marked({
  gfm: true,
  renderer: {
    // No picture is fetched: an address alone can carry data out.
    image({ href, text }: Tokens.Image): string {
      return `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`;
    },
    // Raw HTML is shown, not carried out.
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return escapeHtml(text);
    },
  },
});

const ALLOWED_TAGS = [
  'a', 'p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr',
  'th', 'td', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'input', 'span',
];
const ALLOWED_ATTR = ['href', 'class', 'align', 'start', 'type', 'checked', 'disabled', 'title'];
const SAFE_LINK = /^(https?:|mailto:)/i;

export interface MarkdownBlock {
  raw: string;
  /** A code block's language and text; other blocks have none. */
  code?: { lang: string; text: string };
}

/** The top-level blocks of a text, in order; with `joined`, what stands between two code blocks is one, which
    is quicker to draw where nothing grows. */
export function blocksOf(text: string, joined = false): MarkdownBlock[] {
  if (text.length > TEXT_MAX) return [{ raw: text, code: { lang: '', text } }];
  const blocks: MarkdownBlock[] = [];
  for (const token of marked.lexer(text)) {
    const last = blocks[blocks.length - 1];
    if (token.type === 'code') blocks.push({ raw: token.raw, code: { lang: (token as Tokens.Code).lang ?? '', text: (token as Tokens.Code).text } });
    else if (joined && last && !last.code) last.raw += token.raw;
    else if (token.type !== 'space' && token.type !== 'def') blocks.push({ raw: token.raw });
  }
  return blocks;
}

const remembered = new Map<string, string>();

/** The safe HTML of one block. */
export function blockHtml(raw: string): string {
  const known = remembered.get(raw);
  if (known !== undefined) return known;
  const html = sanitize(marked.parse(raw, { async: false }));
  if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value as string);
  remembered.set(raw, html);
  return html;
}

function sanitize(html: string): string {
  const body = DOMPurify.sanitize(html, { ALLOWED_TAGS, ALLOWED_ATTR, ALLOW_DATA_ATTR: false, RETURN_DOM: true }) as HTMLElement;
  for (const link of body.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    if (!SAFE_LINK.test(href)) {
      // A path in the repository, or something odd: text is enough.
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  for (const code of body.querySelectorAll(':not(pre, a) > code')) nameRef(code);
  for (const input of body.querySelectorAll('input')) {
    input.type = 'checkbox';
    input.disabled = true;
    input.setAttribute('aria-label', input.checked ? '[x]' : '[ ]');
  }
  return body.innerHTML;
}

/** Makes code that is a path or a commit, and nothing else, one that can be pressed. */
function nameRef(code: Element): void {
  const ref = wholeRef(code.textContent ?? '');
  if (!ref || ref.kind === 'url') return;
  const button = code.ownerDocument.createElement('span');
  button.setAttribute('role', 'button');
  button.tabIndex = 0;
  button.className = 'ref';
  if (ref.kind === 'commit') button.dataset['commit'] = ref.commit;
  else button.dataset['path'] = ref.path;
  if (ref.kind === 'path' && ref.line !== undefined) button.dataset['line'] = String(ref.line);
  code.replaceWith(button);
  button.append(code);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
