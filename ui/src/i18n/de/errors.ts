// Was Ablehnungen und Fehler des Servers bedeuten, nach ihrem Code. Seine eigenen, englischen Worte sagen den Rest.
import type { enErrors } from '../en/errors';

export const deErrors: typeof enErrors = {
  codes: {
    invalid: 'So ergibt das keinen Sinn.',
    unauthenticated: 'Dieser Browser ist nicht angemeldet.',
    forbidden: 'Von hier aus darf das nicht verlangt werden.',
    not_found: 'Das gibt es nicht (mehr).',
    method_not_allowed: 'Das nimmt Paddock hier nicht an.',
    not_now: 'Das geht jetzt nicht.',
    would_lose: 'Dabei ginge Arbeit verloren.',
    conflict: 'Es ist nicht mehr so, wie es war.',
    findings: 'Die Prüfung vor dem Push hält es zurück.',
    too_large: 'Das ist zu groß.',
    unsupported_media_type: 'Das kann Paddock nicht lesen.',
    too_many_attempts: 'Zu viele Versuche: warte einen Moment.',
    failed: 'Der Versuch ist gescheitert.',
    internal: 'Paddock hat einen Fehler gemacht.',
    overloaded: 'Es wartet zu viel: versuche es gleich noch einmal.',
    shutting_down: 'Paddock wird beendet; die Aufgaben laufen weiter.',
    disk_full: 'Dafür ist auf der Platte kein Platz.',
  },
  unreachable: 'Paddock ist nicht zu erreichen',
};
