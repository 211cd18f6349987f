interface Words {
  subject: string
  /** @param workspace its name in quotation marks. */
  invited: (workspace: string) => string
  within: string
  accept: string
  code: string
}

const en: Words = {
  subject: 'You are invited to a workspace on Earshot',
  invited: (workspace) => `You are invited to work in ${workspace} on Earshot.`,
  within: 'Accept within 7 days:',
  accept: 'Accept the invitation',
  code: 'The invitation as a code, for programs:',
}

const WORDS: Record<string, Words> = {
  en,
  de: {
    subject: 'Sie sind in einen Arbeitsbereich bei Earshot eingeladen',
    invited: (workspace) => `Sie sind eingeladen, bei Earshot in ${workspace} mitzuarbeiten.`,
    within: 'Nehmen Sie innerhalb von 7 Tagen an:',
    accept: 'Einladung annehmen',
    code: 'Die Einladung als Code, für Programme:',
  },
  fr: {
    subject: 'Invitation à un espace de travail Earshot',
    invited: (workspace) => `Vous avez reçu une invitation à travailler dans ${workspace} sur Earshot.`,
    within: 'Acceptez-la dans les 7 jours\u00a0:',
    accept: 'Accepter l’invitation',
    code: 'L’invitation sous forme de code, pour les programmes\u00a0:',
  },
  es: {
    subject: 'Invitación a un espacio de trabajo en Earshot',
    invited: (workspace) => `Ha recibido una invitación para trabajar en ${workspace} en Earshot.`,
    within: 'Acéptela en el plazo de 7 días:',
    accept: 'Aceptar la invitación',
    code: 'La invitación como código, para programas:',
  },
  it: {
    subject: 'Invito a uno spazio di lavoro su Earshot',
    invited: (workspace) => `Ha ricevuto un invito a lavorare in ${workspace} su Earshot.`,
    within: 'Lo accetti entro 7 giorni:',
    accept: 'Accetta l’invito',
    code: 'L’invito come codice, per i programmi:',
  },
  nl: {
    subject: 'U bent uitgenodigd voor een werkruimte op Earshot',
    invited: (workspace) => `U bent uitgenodigd om op Earshot in ${workspace} te werken.`,
    within: 'Accepteer binnen 7 dagen:',
    accept: 'Uitnodiging accepteren',
    code: 'De uitnodiging als code, voor programma’s:',
  },
  pt: {
    subject: 'Convite para um espaço de trabalho no Earshot',
    invited: (workspace) => `Você recebeu um convite para trabalhar em ${workspace} no Earshot.`,
    within: 'Aceite em até 7 dias:',
    accept: 'Aceitar o convite',
    code: 'O convite como código, para programas:',
  },
  pl: {
    subject: 'Zaproszenie do obszaru roboczego w Earshot',
    invited: (workspace) => `Zapraszamy do pracy w ${workspace} w Earshot.`,
    within: 'Proszę przyjąć zaproszenie w ciągu 7 dni:',
    accept: 'Przyjmij zaproszenie',
    code: 'Zaproszenie jako kod, dla programów:',
  },
  ar: {
    subject: 'دعوة إلى مساحة عمل في Earshot',
    invited: (workspace) => `وصلتك دعوة إلى العمل في ${workspace} على Earshot.`,
    within: 'يرجى قبول الدعوة خلال 7 أيام:',
    accept: 'قبول الدعوة',
    code: 'الدعوة كرمز، للبرامج:',
  },
}

/** The mail with the link to join a workspace. English where nobody has translated it. */
export function invitationLetter(language: string, about: { workspace: string; url: string; token: string }) {
  const known = language in WORDS ? language : 'en'
  const { subject, invited, within, accept, code } = WORDS[known] ?? en
  return {
    language: known,
    subject,
    action: accept,
    text: `${invited(about.workspace)}\n\n${within}\n\n${about.url}\n\n${code}\n${about.token}\n`,
  }
}
