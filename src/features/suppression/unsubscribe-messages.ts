interface Messages {
  title: string
  question: (workspace: string, address: string) => string
  button: string
  done: string
  doneText: (workspace: string, address: string) => string
  gone: string
}

const en: Messages = {
  title: 'Unsubscribe',
  question: (workspace, address) => `Shall ${workspace} stop sending messages to ${address}?`,
  button: 'Yes, unsubscribe',
  done: 'You are unsubscribed',
  doneText: (workspace, address) => `${workspace} will send no more messages to ${address}.`,
  gone: 'This link does not work any more.',
}

const de: Messages = {
  title: 'Abmelden',
  question: (workspace, address) => `Soll ${workspace} keine Nachrichten mehr an ${address} senden?`,
  button: 'Ja, abmelden',
  done: 'Sie sind abgemeldet',
  doneText: (workspace, address) => `${workspace} sendet keine Nachrichten mehr an ${address}.`,
  gone: 'Dieser Link funktioniert nicht mehr.',
}

const fr: Messages = {
  title: 'Se désabonner',
  question: (workspace, address) => `${workspace} doit-il cesser d’envoyer des messages à ${address} ?`,
  button: 'Oui, me désabonner',
  done: 'Vous êtes désabonné',
  doneText: (workspace, address) => `${workspace} n’enverra plus de messages à ${address}.`,
  gone: 'Ce lien ne fonctionne plus.',
}

const es: Messages = {
  title: 'Darse de baja',
  question: (workspace, address) => `¿Debe ${workspace} dejar de enviar mensajes a ${address}?`,
  button: 'Sí, darme de baja',
  done: 'Se ha dado de baja',
  doneText: (workspace, address) => `${workspace} no enviará más mensajes a ${address}.`,
  gone: 'Este enlace ya no funciona.',
}

const ALL: Record<string, Messages> = { en, de, fr, es }

/** In the language, or in English where nobody has translated it; with the tag that it then is. */
export function messagesIn(language: string): Messages & { language: string } {
  const tag = language.split('-', 1)[0]?.toLowerCase() ?? ''
  return { ...(ALL[tag] ?? en), language: ALL[tag] ? tag : 'en' }
}
