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
    subject: 'Vous êtes invité dans un espace de travail Earshot',
    invited: (workspace) => `Vous êtes invité à travailler dans ${workspace} sur Earshot.`,
    within: 'Acceptez dans les 7 jours :',
    accept: 'Accepter l’invitation',
    code: 'L’invitation sous forme de code, pour les programmes :',
  },
  es: {
    subject: 'Le invitan a un espacio de trabajo en Earshot',
    invited: (workspace) => `Le invitan a trabajar en ${workspace} en Earshot.`,
    within: 'Acepte en el plazo de 7 días:',
    accept: 'Aceptar la invitación',
    code: 'La invitación como código, para programas:',
  },
  it: {
    subject: 'È invitato in uno spazio di lavoro su Earshot',
    invited: (workspace) => `È invitato a lavorare in ${workspace} su Earshot.`,
    within: 'Accetti entro 7 giorni:',
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
    subject: 'Recebeu um convite para um espaço de trabalho no Earshot',
    invited: (workspace) => `Recebeu um convite para trabalhar em ${workspace} no Earshot.`,
    within: 'Aceite no prazo de 7 dias:',
    accept: 'Aceitar o convite',
    code: 'O convite como código, para programas:',
  },
  pl: {
    subject: 'Zaproszenie do obszaru roboczego w Earshot',
    invited: (workspace) => `Zapraszamy do pracy w ${workspace} w Earshot.`,
    within: 'Prosimy przyjąć zaproszenie w ciągu 7 dni:',
    accept: 'Przyjmij zaproszenie',
    code: 'Zaproszenie jako kod, dla programów:',
  },
  ar: {
    subject: 'دعوة إلى مساحة عمل في Earshot',
    invited: (workspace) => `أنت مدعو إلى العمل في ${workspace} على Earshot.`,
    within: 'اقبل الدعوة خلال 7 أيام:',
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
