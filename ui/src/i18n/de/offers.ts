// Texte zu dem, was Agenten und ihre Programme anbieten.
import type { Messages } from '../en';

export const deOffers: Messages['offers'] = {
  commands: 'Befehle des Agenten',
  count: (n) => (n === 1 ? '1 Befehl' : `${n} Befehle`),
  current: 'jetzt',
  efforts: (list) => `Aufwand: ${list}`,
  unlisted: 'Das Programm führt dieses Modell nicht auf. Es bekommt es trotzdem gesagt.',
  abilities: {
    title: 'Was jeder Agent kann',
    can: 'Kann',
    yes: 'ja',
    no: 'nein',
    rows: {
      models: 'ein Modell wählen',
      model_switch: 'das Modell im Lauf wechseln',
      efforts: 'einen Aufwand wählen',
      effort_switch: 'den Aufwand im Lauf wechseln',
      permission_modes: 'Berechtigungsmodi',
      mode_switch: 'den Modus im Lauf wechseln',
      approvals: 'um Erlaubnis fragen',
      edited_input: 'einen geänderten Befehl nehmen',
      questions: 'Fragen stellen',
      images: 'Bilder ansehen',
      interrupt: 'unterbrochen werden und weiterleben',
      steer: 'mitten im Zug eine Nachricht hören',
      compact: 'seinen Kontext kürzen',
      clear: 'mit leerem Kontext neu beginnen',
      resume: 'seine Sitzung fortsetzen',
      adopt: 'eine Sitzung von dir fortsetzen',
    },
  },
};
