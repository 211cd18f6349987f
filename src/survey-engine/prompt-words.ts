import type { ContactField, TextFormat } from './definition.ts'

/** What a conversation itself says about how to answer; the survey's own words come from its definition. */
export interface PromptWords {
  scale: (min: number, max: number, low: string, high: string) => string
  numbers: string
  letters: string
  labels: string
  /** After one of the three above. */
  orOwnWords: string
  several: (least: number, most: number) => string
  ranking: string
  yesNo: string
  date: (min: string | undefined, max: string | undefined) => string
  format: Record<Exclude<TextFormat, 'text'>, string>
  contact: Record<ContactField, string>
  orSkip: string
  invalid: Record<'unclear' | 'many' | 'required' | 'tooLong' | 'count' | 'date', string>
  thanks: string
  /** After the last reply that could not be read. */
  leave: string
  refused: string
  voice: {
    scale: (min: number, max: number, low: string, high: string) => string
    choice: (label: string, key: string) => string
    labels: (labels: string) => string
    several: string
    ranking: string
    yesNo: string
    date: string
    speak: string
    orSkip: string
  }
}

const bounds = (low: string, high: string, min: number, max: number) => [low && `${min} = ${low}`, high && `${max} = ${high}`].filter(Boolean).join(', ')

const en: PromptWords = {
  scale: (min, max, low, high) => `Reply with a number from ${min} to ${max}${low || high ? ` (${bounds(low, high, min, max)})` : ''}.`,
  numbers: 'Reply with a number.',
  letters: 'Reply with a letter.',
  labels: 'Reply with one of these.',
  orOwnWords: 'Or write your own answer.',
  several: (least, most) =>
    `Reply with one or more, such as 1, 2.${least > 1 ? ` Choose at least ${least}.` : ''}${Number.isFinite(most) ? ` Choose at most ${most}.` : ''}`,
  ranking: 'Reply with all of them, the best first, such as 2, 1, 3.',
  yesNo: 'Reply YES or NO.',
  date: (min, max) => `Reply with a date, such as 2026-03-14${min ? `, from ${min}` : ''}${max ? `, up to ${max}` : ''}.`,
  format: {
    email: 'Reply with an email address.',
    url: 'Reply with a web address.',
    number: 'Reply with a number.',
    phone: 'Reply with a phone number.',
  },
  contact: { name: 'What is your name?', email: 'What is your email address?', phone: 'What is your phone number?', company: 'What is your company?' },
  orSkip: 'Or reply SKIP.',
  invalid: {
    unclear: 'Sorry, I did not understand that.',
    many: 'Sorry, one answer only, please.',
    required: 'This question needs an answer.',
    tooLong: 'Sorry, that is too long.',
    count: 'Sorry, that is not possible here.',
    date: 'Sorry, that day is not possible here.',
  },
  thanks: 'Thank you! Your answers have been received.',
  leave: 'Sorry, I still do not understand. Let us leave it here. Thank you for your time!',
  refused: 'All right, we stop here. Thank you!',
  voice: {
    scale: (min, max, low, high) => `Please say or press a number from ${min} to ${max}.${low ? ` ${min} is ${low}.` : ''}${high ? ` ${max} is ${high}.` : ''}`,
    choice: (label, key) => `For ${label}, press ${key}.`,
    labels: (labels) => `Please say one of these: ${labels}.`,
    several: 'Please say the numbers of all that apply.',
    ranking: 'Please say all the numbers, the best first.',
    yesNo: 'For yes, press 1. For no, press 2.',
    date: 'Please say the date, or enter it in eight digits: year, month and day.',
    speak: 'Please speak now.',
    orSkip: 'To go on without an answer, say skip.',
  },
}

const de: PromptWords = {
  scale: (min, max, low, high) => `Antworten Sie mit einer Zahl von ${min} bis ${max}${low || high ? ` (${bounds(low, high, min, max)})` : ''}.`,
  numbers: 'Antworten Sie mit einer Zahl.',
  letters: 'Antworten Sie mit einem Buchstaben.',
  labels: 'Antworten Sie mit einem davon.',
  orOwnWords: 'Oder mit eigenen Worten.',
  several: (least, most) =>
    `Antworten Sie mit einer oder mehreren, etwa 1, 2.${least > 1 ? ` Mindestens ${least}.` : ''}${Number.isFinite(most) ? ` Höchstens ${most}.` : ''}`,
  ranking: 'Antworten Sie mit allen, die beste zuerst, etwa 2, 1, 3.',
  yesNo: 'Antworten Sie JA oder NEIN.',
  date: (min, max) => `Antworten Sie mit einem Datum, etwa 14.03.2026${min ? `, ab ${min}` : ''}${max ? `, bis ${max}` : ''}.`,
  format: {
    email: 'Antworten Sie mit einer E-Mail-Adresse.',
    url: 'Antworten Sie mit einer Web-Adresse.',
    number: 'Antworten Sie mit einer Zahl.',
    phone: 'Antworten Sie mit einer Telefonnummer.',
  },
  contact: { name: 'Wie heißen Sie?', email: 'Wie ist Ihre E-Mail-Adresse?', phone: 'Wie ist Ihre Telefonnummer?', company: 'Wie heißt Ihre Firma?' },
  orSkip: 'Oder antworten Sie WEITER.',
  invalid: {
    unclear: 'Das habe ich leider nicht verstanden.',
    many: 'Bitte nur eine Antwort.',
    required: 'Diese Frage braucht eine Antwort.',
    tooLong: 'Das ist leider zu lang.',
    count: 'Das ist hier leider nicht möglich.',
    date: 'Dieser Tag ist hier leider nicht möglich.',
  },
  thanks: 'Vielen Dank! Ihre Antworten sind angekommen.',
  leave: 'Das habe ich leider wieder nicht verstanden. Wir lassen es dabei. Vielen Dank für Ihre Zeit!',
  refused: 'In Ordnung, wir hören hier auf. Vielen Dank!',
  voice: {
    scale: (min, max, low, high) =>
      `Bitte sagen oder drücken Sie eine Zahl von ${min} bis ${max}.${low ? ` ${min} ist ${low}.` : ''}${high ? ` ${max} ist ${high}.` : ''}`,
    choice: (label, key) => `Für ${label} drücken Sie die ${key}.`,
    labels: (labels) => `Bitte sagen Sie eines davon: ${labels}.`,
    several: 'Bitte sagen Sie die Nummern von allem, was zutrifft.',
    ranking: 'Bitte sagen Sie alle Nummern, die beste zuerst.',
    yesNo: 'Für Ja drücken Sie die 1. Für Nein drücken Sie die 2.',
    date: 'Bitte sagen Sie das Datum, oder geben Sie es mit acht Ziffern ein: Jahr, Monat und Tag.',
    speak: 'Bitte sprechen Sie jetzt.',
    orSkip: 'Um ohne Antwort weiterzugehen, sagen Sie weiter.',
  },
}

const fr: PromptWords = {
  scale: (min, max, low, high) => `Répondez par un nombre de ${min} à ${max}${low || high ? ` (${bounds(low, high, min, max)})` : ''}.`,
  numbers: 'Répondez par un numéro.',
  letters: 'Répondez par une lettre.',
  labels: 'Répondez par l’une de ces réponses.',
  orOwnWords: 'Ou avec vos propres mots.',
  several: (least, most) =>
    `Répondez par un ou plusieurs numéros, par exemple 1, 2.${least > 1 ? ` Au moins ${least}.` : ''}${Number.isFinite(most) ? ` Au plus ${most}.` : ''}`,
  ranking: 'Répondez avec tous, le meilleur d’abord, par exemple 2, 1, 3.',
  yesNo: 'Répondez OUI ou NON.',
  date: (min, max) => `Répondez par une date, par exemple 14/03/2026${min ? `, à partir du ${min}` : ''}${max ? `, jusqu’au ${max}` : ''}.`,
  format: {
    email: 'Répondez par une adresse e-mail.',
    url: 'Répondez par une adresse web.',
    number: 'Répondez par un nombre.',
    phone: 'Répondez par un numéro de téléphone.',
  },
  contact: {
    name: 'Quel est votre nom ?',
    email: 'Quelle est votre adresse e-mail ?',
    phone: 'Quel est votre numéro de téléphone ?',
    company: 'Quelle est votre entreprise ?',
  },
  orSkip: 'Ou répondez PASSER.',
  invalid: {
    unclear: 'Désolé, je n’ai pas compris.',
    many: 'Une seule réponse, s’il vous plaît.',
    required: 'Cette question attend une réponse.',
    tooLong: 'Désolé, c’est trop long.',
    count: 'Désolé, ce n’est pas possible ici.',
    date: 'Désolé, ce jour n’est pas possible ici.',
  },
  thanks: 'Merci ! Vos réponses ont bien été reçues.',
  leave: 'Désolé, je ne comprends toujours pas. Restons-en là. Merci de votre temps !',
  refused: 'D’accord, nous nous arrêtons ici. Merci !',
  voice: {
    scale: (min, max, low, high) =>
      `Dites ou tapez un nombre de ${min} à ${max}.${low ? ` ${min} signifie ${low}.` : ''}${high ? ` ${max} signifie ${high}.` : ''}`,
    choice: (label, key) => `Pour ${label}, tapez ${key}.`,
    labels: (labels) => `Dites l’une de ces réponses : ${labels}.`,
    several: 'Dites les numéros de tout ce qui convient.',
    ranking: 'Dites tous les numéros, le meilleur d’abord.',
    yesNo: 'Pour oui, tapez 1. Pour non, tapez 2.',
    date: 'Dites la date, ou tapez-la en huit chiffres : année, mois et jour.',
    speak: 'Parlez maintenant.',
    orSkip: 'Pour continuer sans répondre, dites passer.',
  },
}

const es: PromptWords = {
  scale: (min, max, low, high) => `Responda con un número del ${min} al ${max}${low || high ? ` (${bounds(low, high, min, max)})` : ''}.`,
  numbers: 'Responda con un número.',
  letters: 'Responda con una letra.',
  labels: 'Responda con una de estas.',
  orOwnWords: 'O con sus propias palabras.',
  several: (least, most) =>
    `Responda con uno o varios, por ejemplo 1, 2.${least > 1 ? ` Al menos ${least}.` : ''}${Number.isFinite(most) ? ` Como máximo ${most}.` : ''}`,
  ranking: 'Responda con todos, el mejor primero, por ejemplo 2, 1, 3.',
  yesNo: 'Responda SÍ o NO.',
  date: (min, max) => `Responda con una fecha, por ejemplo 14/03/2026${min ? `, desde ${min}` : ''}${max ? `, hasta ${max}` : ''}.`,
  format: {
    email: 'Responda con una dirección de correo.',
    url: 'Responda con una dirección web.',
    number: 'Responda con un número.',
    phone: 'Responda con un número de teléfono.',
  },
  contact: { name: '¿Cómo se llama?', email: '¿Cuál es su correo electrónico?', phone: '¿Cuál es su teléfono?', company: '¿Cuál es su empresa?' },
  orSkip: 'O responda SALTAR.',
  invalid: {
    unclear: 'Lo siento, no le he entendido.',
    many: 'Solo una respuesta, por favor.',
    required: 'Esta pregunta necesita una respuesta.',
    tooLong: 'Lo siento, es demasiado largo.',
    count: 'Lo siento, eso no es posible aquí.',
    date: 'Lo siento, ese día no es posible aquí.',
  },
  thanks: '¡Gracias! Hemos recibido sus respuestas.',
  leave: 'Lo siento, sigo sin entender. Lo dejamos aquí. ¡Gracias por su tiempo!',
  refused: 'De acuerdo, lo dejamos aquí. ¡Gracias!',
  voice: {
    scale: (min, max, low, high) => `Diga o pulse un número del ${min} al ${max}.${low ? ` ${min} es ${low}.` : ''}${high ? ` ${max} es ${high}.` : ''}`,
    choice: (label, key) => `Para ${label}, pulse ${key}.`,
    labels: (labels) => `Diga una de estas: ${labels}.`,
    several: 'Diga los números de todo lo que corresponda.',
    ranking: 'Diga todos los números, el mejor primero.',
    yesNo: 'Para sí, pulse 1. Para no, pulse 2.',
    date: 'Diga la fecha, o márquela con ocho dígitos: año, mes y día.',
    speak: 'Hable ahora.',
    orSkip: 'Para continuar sin responder, diga saltar.',
  },
}

const WORDS: Record<string, PromptWords> = { en, de, fr, es }

/** English where there is no other. */
export function promptWords(language: string): PromptWords {
  const base = language.toLowerCase().split('-', 1)[0] ?? 'en'
  return (Object.hasOwn(WORDS, base) ? WORDS[base] : undefined) ?? en
}
