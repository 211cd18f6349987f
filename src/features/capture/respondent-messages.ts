/** What the respondent page itself says; the survey's own words come from its definition. */
export interface Messages {
  next: string
  back: string
  send: string
  required: string
  optional: string
  choose: string
  other: string
  rank: string
  /** How many pages come is unknown while logic decides. */
  page: (n: number) => string
  errors: (n: number) => string
  thanks: string
  received: string
  goOn: string
  already: string
  closed: string
  paused: string
  full: string
  notYet: (date: string) => string
  gone: string
  contact: Record<'name' | 'email' | 'phone' | 'company', string>
  missing: string
  invalid: Record<'text' | 'number' | 'email' | 'url' | 'phone' | 'date' | 'ranking' | 'matrix' | 'consent' | 'choices' | 'scale', string>
}

const en: Messages = {
  next: 'Next',
  back: 'Back',
  send: 'Send',
  required: 'required',
  optional: 'optional',
  choose: 'Please choose',
  other: 'Other',
  rank: 'Give each one a place; 1 is the best.',
  page: (n) => `Page ${n}`,
  errors: (n) => (n === 1 ? 'Please look at one question again.' : `Please look at ${n} questions again.`),
  thanks: 'Thank you',
  received: 'Your answers have been received.',
  goOn: 'Go on',
  already: 'You have answered this survey before. Thank you!',
  closed: 'This survey is closed.',
  paused: 'This survey is paused. Please try again later.',
  full: 'This survey has all the responses it asked for. Thank you!',
  notYet: (date) => `This survey opens on ${date}.`,
  gone: 'There is no survey at this address.',
  contact: { name: 'Name', email: 'Email', phone: 'Phone', company: 'Company' },
  missing: 'Please answer this question.',
  invalid: {
    text: 'Please shorten this text.',
    number: 'Please enter a number, such as 12 or 3.5.',
    email: 'Please enter an email address, such as name@example.com.',
    url: 'Please enter a web address that starts with https://.',
    phone: 'Please enter a phone number of 7 to 15 digits.',
    date: 'Please choose a date that is possible here.',
    ranking: 'Please give each one a different place.',
    matrix: 'Please answer every row.',
    consent: 'Please give your consent to go on.',
    choices: 'Please check how many you chose.',
    scale: 'Please choose one of the numbers.',
  },
}

const de: Messages = {
  next: 'Weiter',
  back: 'Zurück',
  send: 'Absenden',
  required: 'Pflichtfeld',
  optional: 'freiwillig',
  choose: 'Bitte wählen',
  other: 'Etwas anderes',
  rank: 'Geben Sie jedem einen Platz; 1 ist der beste.',
  page: (n) => `Seite ${n}`,
  errors: (n) => (n === 1 ? 'Bitte sehen Sie sich eine Frage noch einmal an.' : `Bitte sehen Sie sich ${n} Fragen noch einmal an.`),
  thanks: 'Vielen Dank',
  received: 'Ihre Antworten sind angekommen.',
  goOn: 'Weiter',
  already: 'Sie haben diese Umfrage schon beantwortet. Vielen Dank!',
  closed: 'Diese Umfrage ist beendet.',
  paused: 'Diese Umfrage macht eine Pause. Bitte versuchen Sie es später wieder.',
  full: 'Diese Umfrage hat alle Antworten, die sie braucht. Vielen Dank!',
  notYet: (date) => `Diese Umfrage beginnt am ${date}.`,
  gone: 'Unter dieser Adresse gibt es keine Umfrage.',
  contact: { name: 'Name', email: 'E-Mail', phone: 'Telefon', company: 'Firma' },
  missing: 'Bitte beantworten Sie diese Frage.',
  invalid: {
    text: 'Bitte kürzen Sie den Text.',
    number: 'Bitte geben Sie eine Zahl ein, etwa 12 oder 3,5.',
    email: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
    url: 'Bitte geben Sie eine Webadresse ein, die mit https:// beginnt.',
    phone: 'Bitte geben Sie eine Telefonnummer mit 7 bis 15 Ziffern ein.',
    date: 'Bitte wählen Sie ein Datum, das hier möglich ist.',
    ranking: 'Bitte geben Sie jedem einen anderen Platz.',
    matrix: 'Bitte beantworten Sie jede Zeile.',
    consent: 'Bitte stimmen Sie zu, um fortzufahren.',
    choices: 'Bitte prüfen Sie, wie viele Sie gewählt haben.',
    scale: 'Bitte wählen Sie eine der Zahlen.',
  },
}

const fr: Messages = {
  next: 'Suivant',
  back: 'Retour',
  send: 'Envoyer',
  required: 'obligatoire',
  optional: 'facultatif',
  choose: 'Veuillez choisir',
  other: 'Autre',
  rank: 'Donnez une place à chacun ; 1 est la meilleure.',
  page: (n) => `Page ${n}`,
  errors: (n) => (n === 1 ? 'Veuillez revoir une question.' : `Veuillez revoir ${n} questions.`),
  thanks: 'Merci',
  received: 'Vos réponses nous sont parvenues.',
  goOn: 'Continuer',
  already: 'Vous avez déjà répondu à cette enquête. Merci !',
  closed: 'Cette enquête est terminée.',
  paused: 'Cette enquête est en pause. Veuillez réessayer plus tard.',
  full: 'Cette enquête a reçu toutes les réponses attendues. Merci !',
  notYet: (date) => `Cette enquête commence le ${date}.`,
  gone: 'Il n’y a pas d’enquête à cette adresse.',
  contact: { name: 'Nom', email: 'E-mail', phone: 'Téléphone', company: 'Entreprise' },
  missing: 'Veuillez répondre à cette question.',
  invalid: {
    text: 'Veuillez raccourcir ce texte.',
    number: 'Veuillez saisir un nombre, par exemple 12 ou 3,5.',
    email: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
    url: 'Veuillez saisir une adresse web qui commence par https://.',
    phone: 'Veuillez saisir un numéro de téléphone de 7 à 15 chiffres.',
    date: 'Veuillez choisir une date possible ici.',
    ranking: 'Veuillez donner à chacun une place différente.',
    matrix: 'Veuillez répondre à chaque ligne.',
    consent: 'Veuillez donner votre accord pour continuer.',
    choices: 'Veuillez vérifier le nombre de vos choix.',
    scale: 'Veuillez choisir l’un des nombres.',
  },
}

const es: Messages = {
  next: 'Siguiente',
  back: 'Atrás',
  send: 'Enviar',
  required: 'obligatorio',
  optional: 'opcional',
  choose: 'Elija una opción',
  other: 'Otro',
  rank: 'Dé un puesto a cada uno; el 1 es el mejor.',
  page: (n) => `Página ${n}`,
  errors: (n) => (n === 1 ? 'Revise una pregunta, por favor.' : `Revise ${n} preguntas, por favor.`),
  thanks: 'Gracias',
  received: 'Hemos recibido sus respuestas.',
  goOn: 'Continuar',
  already: 'Ya ha respondido a esta encuesta. ¡Gracias!',
  closed: 'Esta encuesta está cerrada.',
  paused: 'Esta encuesta está en pausa. Vuelva a intentarlo más tarde.',
  full: 'Esta encuesta ya tiene todas las respuestas que necesita. ¡Gracias!',
  notYet: (date) => `Esta encuesta empieza el ${date}.`,
  gone: 'No hay ninguna encuesta en esta dirección.',
  contact: { name: 'Nombre', email: 'Correo electrónico', phone: 'Teléfono', company: 'Empresa' },
  missing: 'Responda a esta pregunta, por favor.',
  invalid: {
    text: 'Acorte este texto, por favor.',
    number: 'Escriba un número, como 12 o 3,5.',
    email: 'Escriba una dirección de correo, como nombre@example.com.',
    url: 'Escriba una dirección web que empiece por https://.',
    phone: 'Escriba un teléfono de 7 a 15 cifras.',
    date: 'Elija una fecha posible aquí.',
    ranking: 'Dé a cada uno un puesto distinto.',
    matrix: 'Responda a cada fila, por favor.',
    consent: 'Dé su consentimiento para continuar.',
    choices: 'Compruebe cuántas opciones ha elegido.',
    scale: 'Elija uno de los números.',
  },
}

const ALL: Record<string, Messages> = { en, de, fr, es }

/** In the language, or in English where nobody has translated it. */
export function messagesIn(language: string): Messages {
  return ALL[language.split('-', 1)[0]?.toLowerCase() ?? ''] ?? en
}
