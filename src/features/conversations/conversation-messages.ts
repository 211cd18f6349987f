/** What a conversation says around the questions; how to answer them is said by the survey engine. */
export interface ConversationMessages {
  /** Before the first question of an invitation. */
  greeting: (workspace: string, name: string) => string
  stopHint: string
  help: (workspace: string) => string
  unknown: (workspace: string) => string
  resubscribed: (workspace: string) => string
  remind: string
  late: (keyword: string | undefined) => string
  closed: string
  already: string
  full: string
  voice: {
    welcome: (workspace: string) => string
    greeting: (workspace: string, name: string) => string
    star: string
    confirm: (heard: string) => string
    notHeard: string
    silent: string
    noMoreCalls: string
    goodbye: string
  }
}

const named = (name: string) => (name === '' ? '' : ` ${name}`)

const en: ConversationMessages = {
  greeting: (workspace, name) => `Hello${named(name)}, ${workspace} would like to hear from you.`,
  stopHint: 'Reply STOP to opt out.',
  help: (workspace) => `${workspace}: we ask for feedback by SMS. Reply STOP to get no more messages. Message and data rates may apply.`,
  unknown: (workspace) => `This is ${workspace}. We could not place your message. Reply STOP to get no more messages.`,
  resubscribed: (workspace) => `You will get messages of ${workspace} again. Reply STOP to opt out.`,
  remind: 'You have not finished yet. Shall we go on?',
  late: (keyword) => (keyword ? `This survey is over. Reply ${keyword} to begin again.` : 'This survey is over. Thank you all the same!'),
  closed: 'This survey takes no answers at the moment. Thank you!',
  already: 'You have answered this survey before. Thank you!',
  full: 'We have all the answers we need. Thank you!',
  voice: {
    welcome: (workspace) => `Welcome to ${workspace}.`,
    greeting: (workspace, name) => `Hello${named(name)}, this is ${workspace}. We would like to hear from you.`,
    star: 'If you want no more calls, press star.',
    confirm: (heard) => `I understood: ${heard}. If that is right, press 1 or say yes. If not, press 2 or say no.`,
    notHeard: 'Sorry, I did not hear you.',
    silent: 'I still cannot hear you. Thank you, and goodbye.',
    noMoreCalls: 'All right, we will not call you again. Goodbye.',
    goodbye: 'Goodbye.',
  },
}

const de: ConversationMessages = {
  greeting: (workspace, name) => `Guten Tag${named(name)}, ${workspace} möchte gern von Ihnen hören.`,
  stopHint: 'Mit STOP melden Sie sich ab.',
  help: (workspace) => `${workspace}: Wir fragen per SMS nach Ihrer Meinung. Mit STOP bekommen Sie keine Nachrichten mehr.`,
  unknown: (workspace) => `Hier ist ${workspace}. Wir konnten Ihre Nachricht nicht zuordnen. Mit STOP bekommen Sie keine Nachrichten mehr.`,
  resubscribed: (workspace) => `Sie bekommen wieder Nachrichten von ${workspace}. Mit STOP melden Sie sich ab.`,
  remind: 'Sie sind noch nicht fertig. Machen wir weiter?',
  late: (keyword) => (keyword ? `Diese Umfrage ist vorbei. Antworten Sie ${keyword}, um neu zu beginnen.` : 'Diese Umfrage ist vorbei. Trotzdem vielen Dank!'),
  closed: 'Diese Umfrage nimmt gerade keine Antworten an. Vielen Dank!',
  already: 'Sie haben diese Umfrage schon beantwortet. Vielen Dank!',
  full: 'Wir haben alle Antworten, die wir brauchen. Vielen Dank!',
  voice: {
    welcome: (workspace) => `Willkommen bei ${workspace}.`,
    greeting: (workspace, name) => `Guten Tag${named(name)}, hier ist ${workspace}. Wir möchten gern von Ihnen hören.`,
    star: 'Wenn Sie keine Anrufe mehr möchten, drücken Sie die Sterntaste.',
    confirm: (heard) => `Ich habe verstanden: ${heard}. Wenn das stimmt, drücken Sie die 1 oder sagen Sie ja. Sonst drücken Sie die 2 oder sagen Sie nein.`,
    notHeard: 'Ich habe Sie leider nicht gehört.',
    silent: 'Ich höre Sie leider nicht. Vielen Dank, auf Wiederhören.',
    noMoreCalls: 'In Ordnung, wir rufen Sie nicht mehr an. Auf Wiederhören.',
    goodbye: 'Auf Wiederhören.',
  },
}

const fr: ConversationMessages = {
  greeting: (workspace, name) => `Bonjour${named(name)}, ${workspace} aimerait avoir votre avis.`,
  stopHint: 'Répondez STOP pour vous désinscrire.',
  help: (workspace) => `${workspace} : nous demandons votre avis par SMS. Répondez STOP pour ne plus recevoir de messages.`,
  unknown: (workspace) => `Ici ${workspace}. Nous n’avons pas compris votre message. Répondez STOP pour ne plus recevoir de messages.`,
  resubscribed: (workspace) => `Vous recevrez de nouveau les messages de ${workspace}. Répondez STOP pour vous désinscrire.`,
  remind: 'Vous n’avez pas encore terminé. On continue ?',
  late: (keyword) => (keyword ? `Cette enquête est terminée. Répondez ${keyword} pour recommencer.` : 'Cette enquête est terminée. Merci quand même !'),
  closed: 'Cette enquête ne prend pas de réponses en ce moment. Merci !',
  already: 'Vous avez déjà répondu à cette enquête. Merci !',
  full: 'Nous avons toutes les réponses dont nous avons besoin. Merci !',
  voice: {
    welcome: (workspace) => `Bienvenue chez ${workspace}.`,
    greeting: (workspace, name) => `Bonjour${named(name)}, ici ${workspace}. Nous aimerions avoir votre avis.`,
    star: 'Si vous ne voulez plus d’appels, tapez étoile.',
    confirm: (heard) => `J’ai compris : ${heard}. Si c’est juste, tapez 1 ou dites oui. Sinon, tapez 2 ou dites non.`,
    notHeard: 'Désolé, je ne vous ai pas entendu.',
    silent: 'Je ne vous entends toujours pas. Merci et au revoir.',
    noMoreCalls: 'D’accord, nous ne vous appellerons plus. Au revoir.',
    goodbye: 'Au revoir.',
  },
}

const es: ConversationMessages = {
  greeting: (workspace, name) => `Hola${named(name)}, a ${workspace} le gustaría conocer su opinión.`,
  stopHint: 'Responda STOP para darse de baja.',
  help: (workspace) => `${workspace}: pedimos su opinión por SMS. Responda STOP para no recibir más mensajes.`,
  unknown: (workspace) => `Aquí ${workspace}. No hemos entendido su mensaje. Responda STOP para no recibir más mensajes.`,
  resubscribed: (workspace) => `Volverá a recibir mensajes de ${workspace}. Responda STOP para darse de baja.`,
  remind: 'Todavía no ha terminado. ¿Seguimos?',
  late: (keyword) =>
    keyword ? `Esta encuesta ha terminado. Responda ${keyword} para empezar de nuevo.` : 'Esta encuesta ha terminado. ¡Gracias de todos modos!',
  closed: 'Esta encuesta no acepta respuestas en este momento. ¡Gracias!',
  already: 'Ya ha respondido a esta encuesta. ¡Gracias!',
  full: 'Ya tenemos todas las respuestas que necesitamos. ¡Gracias!',
  voice: {
    welcome: (workspace) => `Bienvenido a ${workspace}.`,
    greeting: (workspace, name) => `Hola${named(name)}, le llamamos de ${workspace}. Nos gustaría conocer su opinión.`,
    star: 'Si no desea más llamadas, pulse asterisco.',
    confirm: (heard) => `He entendido: ${heard}. Si es correcto, pulse 1 o diga sí. Si no, pulse 2 o diga no.`,
    notHeard: 'Lo siento, no le he oído.',
    silent: 'Sigo sin oírle. Gracias y adiós.',
    noMoreCalls: 'De acuerdo, no volveremos a llamarle. Adiós.',
    goodbye: 'Adiós.',
  },
}

const MESSAGES: Record<string, ConversationMessages> = { en, de, fr, es }

/** English where there is no other. */
export function messagesIn(language: string): ConversationMessages {
  const base = language.toLowerCase().split('-', 1)[0] ?? 'en'
  return (Object.hasOwn(MESSAGES, base) ? MESSAGES[base] : undefined) ?? en
}
