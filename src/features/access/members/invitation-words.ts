/** The words of the page on which a person joins a workspace. */
export interface InvitationWords {
  invitation: string
  /** `{workspace}` is in quotes already, because another person chose it. */
  invited: string
  ownPassword: string
  name: string
  join: string
  welcome: string
  joined: string
  invitationGone: string
  invitationEnded: string
}

const ALL: Record<string, InvitationWords> = {
  en: {
    invitation: 'Accept your invitation',
    invited: 'You are invited to work in {workspace} on Earshot, as {email}.',
    ownPassword: 'The password of your Earshot account',
    name: 'Your name',
    join: 'Join',
    welcome: 'Welcome',
    joined: 'You are a member of {workspace}. You can sign in now.',
    invitationGone: 'This invitation does not work any more',
    invitationEnded: 'It was used or withdrawn, or its 7 days are over. Ask for a new one.',
  },
  de: {
    invitation: 'Einladung annehmen',
    invited: 'Sie sind eingeladen, in {workspace} auf Earshot mitzuarbeiten, als {email}.',
    ownPassword: 'Das Passwort Ihres Earshot-Kontos',
    name: 'Ihr Name',
    join: 'Beitreten',
    welcome: 'Willkommen',
    joined: 'Sie sind Mitglied von {workspace}. Sie können sich jetzt anmelden.',
    invitationGone: 'Diese Einladung gilt nicht mehr',
    invitationEnded: 'Sie wurde benutzt oder zurückgezogen, oder ihre 7 Tage sind vorbei. Bitten Sie um eine neue.',
  },
  fr: {
    invitation: 'Accepter l’invitation',
    invited: 'Vous êtes invité à travailler dans {workspace} sur Earshot, en tant que {email}.',
    ownPassword: 'Le mot de passe de votre compte Earshot',
    name: 'Votre nom',
    join: 'Rejoindre',
    welcome: 'Bienvenue',
    joined: 'Vous êtes membre de {workspace}. Vous pouvez vous connecter.',
    invitationGone: 'Cette invitation n’est plus valable',
    invitationEnded: 'Elle a été utilisée ou retirée, ou ses 7 jours sont passés. Demandez-en une nouvelle.',
  },
  es: {
    invitation: 'Aceptar la invitación',
    invited: 'Le han invitado a trabajar en {workspace} en Earshot, como {email}.',
    ownPassword: 'La contraseña de su cuenta de Earshot',
    name: 'Su nombre',
    join: 'Unirse',
    welcome: 'Le damos la bienvenida',
    joined: 'Ya es miembro de {workspace}. Ahora puede iniciar sesión.',
    invitationGone: 'Esta invitación ya no es válida',
    invitationEnded: 'Se usó o se retiró, o pasaron sus 7 días. Pida una nueva.',
  },
  it: {
    invitation: 'Accetta l’invito',
    invited: 'Hai ricevuto un invito a lavorare in {workspace} su Earshot, come {email}.',
    ownPassword: 'La password del tuo account Earshot',
    name: 'Il tuo nome',
    join: 'Partecipa',
    welcome: 'Ti diamo il benvenuto',
    joined: 'Ora fai parte di {workspace}. Puoi accedere.',
    invitationGone: 'Questo invito non è più valido',
    invitationEnded: 'È stato usato o ritirato, oppure i suoi 7 giorni sono passati. Chiedine uno nuovo.',
  },
  nl: {
    invitation: 'Uitnodiging aannemen',
    invited: 'U bent uitgenodigd om in {workspace} op Earshot te werken, als {email}.',
    ownPassword: 'Het wachtwoord van uw Earshot-account',
    name: 'Uw naam',
    join: 'Deelnemen',
    welcome: 'Welkom',
    joined: 'U bent lid van {workspace}. U kunt nu inloggen.',
    invitationGone: 'Deze uitnodiging werkt niet meer',
    invitationEnded: 'Ze is gebruikt of ingetrokken, of haar 7 dagen zijn voorbij. Vraag een nieuwe.',
  },
  pt: {
    invitation: 'Aceitar o convite',
    invited: 'Recebeu um convite para trabalhar em {workspace} no Earshot, como {email}.',
    ownPassword: 'A palavra-passe da sua conta Earshot',
    name: 'O seu nome',
    join: 'Entrar',
    welcome: 'Boas-vindas',
    joined: 'Já é membro de {workspace}. Pode iniciar sessão.',
    invitationGone: 'Este convite já não é válido',
    invitationEnded: 'Foi usado ou retirado, ou os seus 7 dias passaram. Peça um novo.',
  },
  pl: {
    invitation: 'Przyjmij zaproszenie',
    invited: 'Masz zaproszenie do pracy w {workspace} w Earshot, jako {email}.',
    ownPassword: 'Hasło do Twojego konta Earshot',
    name: 'Twoje imię i nazwisko',
    join: 'Dołącz',
    welcome: 'Witamy',
    joined: 'Należysz teraz do {workspace}. Możesz się zalogować.',
    invitationGone: 'To zaproszenie już nie działa',
    invitationEnded: 'Zostało użyte lub wycofane albo minęło jego 7 dni. Poproś o nowe.',
  },
  ar: {
    invitation: 'قبول الدعوة',
    invited: 'أنت مدعو للعمل في {workspace} على Earshot باسم {email}.',
    ownPassword: 'كلمة مرور حسابك في Earshot',
    name: 'اسمك',
    join: 'انضمام',
    welcome: 'أهلاً بك',
    joined: 'أنت الآن عضو في {workspace}. يمكنك تسجيل الدخول.',
    invitationGone: 'هذه الدعوة لم تعد صالحة',
    invitationEnded: 'استُخدمت أو سُحبت، أو انتهت أيامها السبعة. اطلب دعوة جديدة.',
  },
}

/** The words in a language that a browser accepts, and the language that they are in. English if we do not have it. */
export function invitationWords(accepted: string): { language: string; words: InvitationWords } {
  const language = accepted in ALL ? accepted : 'en'
  return { language, words: ALL[language] as InvitationWords }
}
