// Was auf dem Rechner gefunden wurde: der Server sagt es auf Englisch. Was hier fehlt, bleibt englisch.
import type { enDoctor } from '../en/doctor';

const SAID: Record<string, string> = {
  'container engine': 'Container-Engine',
  'default image': 'Standard-Image',
  'relay binary': 'Relay-Programm',
  landlock: 'Landlock',
  'user namespaces': 'User-Namespaces',
  'agent programs': 'Agentenprogramme',
  'disk space': 'Speicherplatz',
  keys: 'Schlüssel',
  'install and start Docker or Podman, or use worktree boxes': 'installiere und starte Docker oder Podman, oder nimm Worktree-Boxen',
  'the engine gives containers no seccomp profile': 'die Engine gibt Containern kein seccomp-Profil',
  'use an engine built with seccomp': 'nimm eine Engine, die mit seccomp gebaut ist',
  'set another default image': 'stelle ein anderes Standard-Image ein',
  'build it, or set another default image': 'baue es, oder stelle ein anderes Standard-Image ein',
  "see the engine's log": 'sieh ins Log der Engine',
  'build it with `cargo xtask relay`, or set where it is': 'baue es mit `cargo xtask relay`, oder stelle ein, wo es ist',
  'worktree boxes are confined in full': 'Worktree-Boxen sind ganz abgeschirmt',
  'worktree boxes are confined, as far as this kernel can': 'Worktree-Boxen sind abgeschirmt, soweit dieser Kernel es kann',
  'worktree boxes are not confined here: use Linux 5.13 or newer with Landlock switched on (`lsm=landlock,…`), or containers':
    'Worktree-Boxen sind hier nicht abgeschirmt: nimm Linux 5.13 oder neuer mit Landlock (`lsm=landlock,…`), oder Container',
  'the toolbox is empty': 'keines ist installiert',
  'install one with `paddock harness install claude` or `codex`': 'installiere eines mit `paddock harness install claude` oder `codex`',
  'free some space, or choose another data directory': 'schaffe Platz, oder wähle ein anderes Datenverzeichnis',
  'see the data directory': 'sieh nach dem Datenverzeichnis',
  'install git': 'installiere git',
  'unprivileged ones may be made': 'dürfen ohne Rechte angelegt werden',
  'unprivileged ones may not be made': 'dürfen ohne Rechte nicht angelegt werden',
  'not a matter of this system': 'gibt es auf diesem System nicht',
  "rootless engines and the sandboxes of some agents need them: see `sysctl user.max_user_namespaces` and AppArmor's restriction":
    'Engines ohne root und die Sandboxen mancher Agenten brauchen sie: siehe `sysctl user.max_user_namespaces` und die Beschränkung durch AppArmor',
  'none is set: `paddock secret set ANTHROPIC_API_KEY` stores one': 'keiner ist hinterlegt: `paddock secret set ANTHROPIC_API_KEY` hinterlegt einen',
  'agents whose keys are in the vault do not start until it opens': 'Agenten, deren Schlüssel im Tresor liegen, starten nicht, bis er sich öffnet',
};

/** Was einen Namen oder eine Zahl enthält. */
const WITH: [RegExp, string][] = [
  [/^(Docker|Podman|paddock-relay) (\S+) at (.+?)(, rootless)?$/, '$1 $2 unter $3$4'],
  [/, rootless$/, ', ohne root'],
  [/^(\S+) is not there$/, '$1 ist nicht da'],
  [/^(\S+) is not there yet: it is pulled with the first task$/, '$1 ist noch nicht da: es wird mit der ersten Aufgabe geholt'],
  [/^(\S+) GB free at (.+)$/, '$1 GB frei unter $2'],
  [/ from the vault\b/g, ' aus dem Tresor'],
  [/ from the settings\b/g, ' aus den Einstellungen'],
  [/ from the environment\b/g, ' aus der Umgebung'],
  [/ is not used\b/g, ' (nicht benutzt)'],
];

export const deDoctor: typeof enDoctor = {
  fine: 'in Ordnung',
  wanting: 'braucht Aufmerksamkeit',
  said: (text) => SAID[text] ?? WITH.reduce((said, [english, german]) => said.replace(english, german), text),
};
