// What people call the harnesses; one that is not known here is called by its name.

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
