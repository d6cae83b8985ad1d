// Calls around what is chosen and found: search, templates, the vault, settings.
import { get, list, post, query, send } from '../http';
import type * as wire from '../types';

const template = (name: string, below = ''): string => `/templates/${encodeURIComponent(name)}${below}`;
const secret = (name: string): string => `/secrets/${encodeURIComponent(name)}`;

export const aroundCalls = {
  search: (q: string, cursor?: string) => get<wire.SearchPage>(`/search${query({ q, cursor, limit: 100 })}`),
  templates: () => list<wire.TemplateView>('/templates'),
  saveTemplate: (name: string, spec: wire.TaskSpec) => send<wire.TemplateView>('PUT', template(name), { spec }),
  removeTemplate: (name: string) => send<wire.TemplateView>('DELETE', template(name)),
  fillTemplate: (name: string, values: Record<string, string>) => post<wire.TaskSpec>(template(name, '/fill'), { values }),
  secrets: () => get<wire.SecretList>('/secrets'),
  keepSecret: (name: string, value: string) => send<wire.SecretView>('PUT', secret(name), { value }),
  forgetSecret: (name: string) => send<wire.SecretView>('DELETE', secret(name)),
  changeSettings: (request: wire.SettingsRequest) => send<wire.SettingsView>('PATCH', '/settings', request),
};
