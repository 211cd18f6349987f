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
  question: (workspace, address) => `Should ${workspace} stop sending messages to ${address}?`,
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
  question: (workspace, address) => `Souhaitez-vous que ${workspace} cesse d’envoyer des messages à ${address}\u202f?`,
  button: 'Oui, me désabonner',
  done: 'Désabonnement confirmé',
  doneText: (workspace, address) => `${workspace} n’enverra plus de messages à ${address}.`,
  gone: 'Ce lien ne fonctionne plus.',
}

const es: Messages = {
  title: 'Darse de baja',
  question: (workspace, address) => `¿Quiere que ${workspace} deje de enviar mensajes a ${address}?`,
  button: 'Sí, darme de baja',
  done: 'Se ha dado de baja',
  doneText: (workspace, address) => `${workspace} no enviará más mensajes a ${address}.`,
  gone: 'Este enlace ya no funciona.',
}

const it: Messages = {
  title: 'Annulla l’iscrizione',
  question: (workspace, address) => `Vuole che ${workspace} smetta di inviare messaggi a ${address}?`,
  button: 'Sì, annulla l’iscrizione',
  done: 'Iscrizione annullata',
  doneText: (workspace, address) => `${workspace} non invierà più messaggi a ${address}.`,
  gone: 'Questo link non funziona più.',
}

const nl: Messages = {
  title: 'Afmelden',
  question: (workspace, address) => `Wilt u dat ${workspace} geen berichten meer stuurt naar ${address}?`,
  button: 'Ja, afmelden',
  done: 'U bent afgemeld',
  doneText: (workspace, address) => `${workspace} stuurt geen berichten meer naar ${address}.`,
  gone: 'Deze link werkt niet meer.',
}

const pt: Messages = {
  title: 'Cancelar a inscrição',
  question: (workspace, address) => `Você quer que ${workspace} deixe de enviar mensagens para ${address}?`,
  button: 'Sim, cancelar a inscrição',
  done: 'Inscrição cancelada',
  doneText: (workspace, address) => `${workspace} não enviará mais mensagens para ${address}.`,
  gone: 'Este link não funciona mais.',
}

const pl: Messages = {
  title: 'Rezygnacja z wiadomości',
  question: (workspace, address) => `Czy ${workspace} ma przestać wysyłać wiadomości na adres ${address}?`,
  button: 'Tak, rezygnuję',
  done: 'Rezygnacja przyjęta',
  doneText: (workspace, address) => `${workspace} nie będzie już wysyłać wiadomości na adres ${address}.`,
  gone: 'Ten link już nie działa.',
}

// The isolates keep a Latin address from reordering the sentence around it.
const ar: Messages = {
  title: 'إلغاء الاشتراك',
  question: (workspace, address) => `هل تريد إيقاف رسائل \u2068${workspace}\u2069 إلى \u2068${address}\u2069؟`,
  button: 'نعم، إلغاء الاشتراك',
  done: 'تم إلغاء الاشتراك',
  doneText: (workspace, address) => `لن تصل رسائل أخرى من \u2068${workspace}\u2069 إلى \u2068${address}\u2069.`,
  gone: 'لم يعد هذا الرابط يعمل.',
}

const ALL: Record<string, Messages> = { en, de, fr, es, it, nl, pt, pl, ar }

/** The messages in a language, or in English if there is no translation, with the language used. */
export function messagesIn(language: string): Messages & { language: string } {
  const tag = language.split('-', 1)[0]?.toLowerCase() ?? ''
  return { ...(ALL[tag] ?? en), language: ALL[tag] ? tag : 'en' }
}
