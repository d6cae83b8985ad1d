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

/** Variables that most people have a value for; others can be typed. */
const VARIABLES: Record<string, string> = {
  claude: 'ANTHROPIC_API_KEY', codex: 'OPENAI_API_KEY', opencode: 'OPENAI_API_KEY', gemini: 'GEMINI_API_KEY',
  qwen: 'OPENAI_API_KEY', kimi: 'KIMI_MODEL_API_KEY', copilot: 'COPILOT_PROVIDER_API_KEY', pi: 'OPENAI_API_KEY',
};

/** The variable in which a harness takes a key, where one is usual. */
export function keyVariable(harness: string): string {
  return VARIABLES[harness] ?? '';
}

/** Models to propose; none where nothing is known, or nothing can be chosen. */
export function suggestedModels(abilities: Abilities | undefined): readonly string[] {
  return abilities?.models.choice === 'free' ? abilities.models.suggestions : [];
}
