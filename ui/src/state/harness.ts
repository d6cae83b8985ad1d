// What people call the harnesses, and what of their abilities forms ask for. One that is not known here is called
// by its name.
import type { Abilities } from '../api/types';

const TITLES: Record<string, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  pi: 'Pi',
  gemini: 'Gemini',
  qwen: 'Qwen Code',
  scripted: 'Scripted',
};

export function harnessTitle(name: string): string {
  return TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** Models to propose; none where nothing is known, or nothing can be chosen. */
export function suggestedModels(abilities: Abilities | undefined): readonly string[] {
  return abilities?.models.choice === 'free' ? abilities.models.suggestions : [];
}
