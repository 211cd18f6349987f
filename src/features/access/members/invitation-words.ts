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
  /** A link to the console. */
  signIn: string
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
    joined: 'You are a member of {workspace}.',
    signIn: 'You can sign in now.',
    invitationGone: 'This invitation does not work any more',
    invitationEnded: 'It was used or withdrawn, or it is older than 7 days. Ask for a new one.',
  },
  de: {
    invitation: 'Einladung annehmen',
    invited: 'Sie sind eingeladen, bei Earshot in {workspace} mitzuarbeiten, als {email}.',
    ownPassword: 'Das Passwort Ihres Earshot-Kontos',
    name: 'Ihr Name',
    join: 'Beitreten',
    welcome: 'Willkommen',
    joined: 'Sie sind Mitglied von {workspace}.',
    signIn: 'Sie können sich jetzt anmelden.',
    invitationGone: 'Diese Einladung gilt nicht mehr',
    invitationEnded:
      'Sie wurde schon benutzt oder zurückgezogen, oder sie ist älter als 7 Tage. Bitten Sie um eine neue.',
  },
  fr: {
    invitation: 'Accepter l’invitation',
    invited: 'Vous avez reçu une invitation à travailler dans {workspace} sur Earshot, en tant que {email}.',
    ownPassword: 'Le mot de passe de votre compte Earshot',
    name: 'Votre nom',
    join: 'Rejoindre',
    welcome: 'Bienvenue',
    joined: 'Vous êtes membre de {workspace}.',
    signIn: 'Vous pouvez vous connecter.',
    invitationGone: 'Cette invitation n’est plus valable',
    invitationEnded: 'Elle a déjà été utilisée, a été retirée ou date de plus de 7 jours. Demandez-en une nouvelle.',
  },
  es: {
    invitation: 'Aceptar la invitación',
    invited: 'Ha recibido una invitación para trabajar en {workspace} en Earshot, como {email}.',
    ownPassword: 'La contraseña de su cuenta de Earshot',
    name: 'Su nombre',
    join: 'Unirse',
    welcome: 'Le damos la bienvenida',
    joined: 'Ya es miembro de {workspace}.',
    signIn: 'Ahora puede iniciar sesión.',
    invitationGone: 'Esta invitación ya no es válida',
    invitationEnded: 'Ya se ha usado, se ha retirado o tiene más de 7 días. Pida una nueva.',
  },
  it: {
    invitation: 'Accetta l’invito',
    invited: 'Ha ricevuto un invito a lavorare in {workspace} su Earshot, come {email}.',
    ownPassword: 'La password del suo account Earshot',
    name: 'Il suo nome',
    join: 'Partecipa',
    welcome: 'Le diamo il benvenuto',
    joined: 'Ora fa parte di {workspace}.',
    signIn: 'Può accedere.',
    invitationGone: 'Questo invito non è più valido',
    invitationEnded: 'È già stato usato, è stato ritirato o ha più di 7 giorni. Ne chieda uno nuovo.',
  },
  nl: {
    invitation: 'Uitnodiging accepteren',
    invited: 'U bent uitgenodigd om in {workspace} op Earshot te werken, als {email}.',
    ownPassword: 'Het wachtwoord van uw Earshot-account',
    name: 'Uw naam',
    join: 'Deelnemen',
    welcome: 'Welkom',
    joined: 'U bent lid van {workspace}.',
    signIn: 'U kunt nu inloggen.',
    invitationGone: 'Deze uitnodiging werkt niet meer',
    invitationEnded: 'De uitnodiging is al gebruikt of ingetrokken, of ouder dan 7 dagen. Vraag een nieuwe aan.',
  },
  pt: {
    invitation: 'Aceitar o convite',
    invited: 'Você recebeu um convite para trabalhar em {workspace} no Earshot, como {email}.',
    ownPassword: 'A senha da sua conta do Earshot',
    name: 'O seu nome',
    join: 'Participar',
    welcome: 'Boas-vindas',
    joined: 'Você já é membro de {workspace}.',
    signIn: 'Agora pode entrar.',
    invitationGone: 'Este convite não é mais válido',
    invitationEnded: 'Ele já foi usado, foi retirado ou tem mais de 7 dias. Peça um novo.',
  },
  pl: {
    invitation: 'Przyjmij zaproszenie',
    invited: 'Zapraszamy do pracy w {workspace} w Earshot, jako {email}.',
    ownPassword: 'Hasło do Państwa konta Earshot',
    name: 'Imię i nazwisko',
    join: 'Dołącz',
    welcome: 'Witamy',
    joined: 'Należą Państwo teraz do {workspace}.',
    signIn: 'Można się zalogować.',
    invitationGone: 'To zaproszenie już nie działa',
    invitationEnded: 'Zostało już użyte, wycofane albo minęło 7 dni. Proszę poprosić o nowe.',
  },
  ar: {
    invitation: 'قبول الدعوة',
    invited: 'وصلتك دعوة إلى العمل في {workspace} على Earshot باسم {email}.',
    ownPassword: 'كلمة مرور حسابك في Earshot',
    name: 'اسمك',
    join: 'انضمام',
    welcome: 'أهلًا بك',
    joined: 'تم انضمامك إلى {workspace}.',
    signIn: 'يمكنك الآن تسجيل الدخول.',
    invitationGone: 'هذه الدعوة لم تعد صالحة',
    invitationEnded: 'سبق استخدامها أو سُحبت أو مضى عليها أكثر من 7 أيام. يرجى طلب دعوة جديدة.',
  },
}

/** The words in a language, and the language that they are in. English if we do not have it. */
export function invitationWords(accepted: string): { language: string; words: InvitationWords } {
  const language = accepted in ALL ? accepted : 'en'
  return { language, words: ALL[language] as InvitationWords }
}
