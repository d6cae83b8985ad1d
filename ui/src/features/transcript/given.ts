// What a call was given, as a reader wants it: what an edit replaces, a list of things to do, and everything else as
// named fields. Agents name the same thing in many ways, and what they send may be anything.
import { beforeAfter, type FileDiff } from '../../lib/diff';
import { languageOf } from '../../lib/highlight';
import type { ToolCall } from '../../state/rows';

export interface Field {
  /** As the agent names it. */
  name: string;
  text: string;
  /** Set where it is a text of its own: the language to colour it in. */
  lang?: string;
}

export interface Todo {
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
}

export interface Given {
  edit?: FileDiff;
  todos: Todo[];
  fields: Field[];
}

type Values = Record<string, unknown>;

const EDITS: readonly (readonly [string, string])[] = [['old_string', 'new_string'], ['oldString', 'newString'], ['old_str', 'new_str'], ['oldText', 'newText'], ['old_text', 'new_text'], ['old', 'new']];
const PATHS: readonly string[] = ['path', 'file_path', 'filePath', 'absolute_path', 'notebook_path'];
const CONTENTS: readonly string[] = ['content', 'contents', 'file_text'];
const LISTS: readonly string[] = ['todos', 'plan', 'items'];
/** A longer value has a frame of its own. */
const SHORT_MAX = 160;
/** Most fields, edits and things to do that are shown of one call. */
const SHOWN_MAX = 100;

export function givenOf(call: Pick<ToolCall, 'tool' | 'args' | 'path'>): Given {
  const { args } = call;
  if (args === undefined || args === null) return { todos: [], fields: [] };
  if (!isValues(args)) return { todos: [], fields: [fieldOf('', args, '')] };
  const taken = new Set<string>(call.path === undefined ? [] : PATHS);
  const edits = editsOf(args, taken);
  const todos = todosOf(args, taken);
  const lang = call.tool === 'write' ? languageOf(call.path ?? '') : '';
  const fields = Object.entries(args)
    .filter(([name, value]) => !taken.has(name) && value !== null && value !== undefined && value !== '')
    .slice(0, SHOWN_MAX)
    .map(([name, value]) => fieldOf(name, value, CONTENTS.includes(name) ? lang : ''));
  return { ...(edits.length > 0 ? { edit: beforeAfter(call.path ?? '', edits) } : {}), todos, fields };
}

/** What is replaced by what; the fields that say so are taken. */
function editsOf(args: Values, taken: Set<string>): { before: string; after: string }[] {
  const found = editIn(args, taken);
  if (found) return [found];
  const list = Array.isArray(args['edits']) ? args['edits'].slice(0, SHOWN_MAX).map((one) => (isValues(one) ? editIn(one) : undefined)) : [];
  if (list.length === 0 || list.includes(undefined)) return [];
  taken.add('edits');
  return list.filter((one) => one !== undefined);
}

function editIn(values: Values, taken?: Set<string>): { before: string; after: string } | undefined {
  for (const [old, fresh] of EDITS) {
    const [before, after] = [values[old], values[fresh]];
    if (typeof before !== 'string' || typeof after !== 'string') continue;
    taken?.add(old).add(fresh);
    return { before, after };
  }
  return undefined;
}

function todosOf(args: Values, taken: Set<string>): Todo[] {
  for (const name of LISTS) {
    const list = args[name];
    const todos = Array.isArray(list) ? list.slice(0, SHOWN_MAX).map(todoOf) : [];
    if (todos.length === 0 || todos.includes(undefined)) continue;
    taken.add(name);
    return todos.filter((one) => one !== undefined);
  }
  return [];
}

function todoOf(one: unknown): Todo | undefined {
  if (!isValues(one) || typeof one['status'] !== 'string') return undefined;
  const text = one['content'] ?? one['text'] ?? one['step'] ?? one['title'];
  if (typeof text !== 'string') return undefined;
  const word = one['status'].toLowerCase().replace(/[^a-z]/g, '');
  const status = word === 'completed' || word === 'done' ? 'completed' : word === 'inprogress' ? 'in_progress' : 'pending';
  return { text, status };
}

function fieldOf(name: string, value: unknown, lang: string): Field {
  if (typeof value === 'string') return value.length > SHORT_MAX || value.includes('\n') || lang !== '' ? { name, text: value, lang } : { name, text: value };
  if (typeof value !== 'object' || value === null) return { name, text: String(value) };
  const plain = Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number');
  const line = plain ? value.join(', ') : '';
  return plain && line.length <= SHORT_MAX ? { name, text: line } : { name, text: JSON.stringify(value, null, 2), lang: 'json' };
}

function isValues(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
