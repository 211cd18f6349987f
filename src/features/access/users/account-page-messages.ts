/** The words of the pages on which a person joins a workspace or sets a new password. */
export interface AccountPageMessages {
  invitation: string
  /** `{workspace}` is in quotes already, because another person chose it. */
  invited: string
  ownPassword: string
  name: string
  newPassword: string
  rule: string
  join: string
  welcome: string
  joined: string
  invitationGone: string
  invitationEnded: string
  reset: string
  sessionsEnd: string
  set: string
  isSet: string
  signIn: string
  resetGone: string
  resetEnded: string
  check: string
  wrong: string
  busy: string
}

const ALL: Record<string, AccountPageMessages> = {
  en: {
    invitation: 'Accept your invitation',
    invited: 'You are invited to work in {workspace} on Earshot, as {email}.',
    ownPassword: 'The password of your Earshot account',
    name: 'Your name',
    newPassword: 'A new password',
    rule: 'At least 10 characters.',
    join: 'Join',
    welcome: 'Welcome',
    joined: 'You are a member of {workspace}. You can sign in now.',
    invitationGone: 'This invitation does not work any more',
    invitationEnded: 'It was used or withdrawn, or its 7 days are over. Ask for a new one.',
    reset: 'Set a new password',
    sessionsEnd: 'All your sessions end when it is set.',
    set: 'Set the password',
    isSet: 'Your new password is set',
    signIn: 'You can sign in with it now.',
    resetGone: 'This link does not work any more',
    resetEnded: 'It was used, or its hour is over. Ask for a new one where you sign in.',
    check: 'A password needs at least 10 characters. Check what you typed.',
    wrong: 'This password is wrong.',
    busy: 'There were too many attempts. Wait a few minutes.',
  },
  de: {
    invitation: 'Einladung annehmen',
    invited: 'Sie sind eingeladen, in {workspace} auf Earshot mitzuarbeiten, als {email}.',
    ownPassword: 'Das Passwort Ihres Earshot-Kontos',
    name: 'Ihr Name',
    newPassword: 'Ein neues Passwort',
    rule: 'Mindestens 10 Zeichen.',
    join: 'Beitreten',
    welcome: 'Willkommen',
    joined: 'Sie sind Mitglied von {workspace}. Sie können sich jetzt anmelden.',
    invitationGone: 'Diese Einladung gilt nicht mehr',
    invitationEnded: 'Sie wurde benutzt oder zurückgezogen, oder ihre 7 Tage sind vorbei. Bitten Sie um eine neue.',
    reset: 'Neues Passwort setzen',
    sessionsEnd: 'Alle Ihre Sitzungen enden, sobald es gesetzt ist.',
    set: 'Passwort setzen',
    isSet: 'Ihr neues Passwort ist gesetzt',
    signIn: 'Sie können sich jetzt damit anmelden.',
    resetGone: 'Dieser Link funktioniert nicht mehr',
    resetEnded: 'Er wurde benutzt, oder seine Stunde ist vorbei. Fordern Sie bei der Anmeldung einen neuen an.',
    check: 'Prüfen Sie Ihre Eingabe. Ein Passwort hat 10 bis 200 Zeichen.',
    wrong: 'Dieses Passwort ist falsch.',
    busy: 'Es gab zu viele Versuche. Warten Sie ein paar Minuten.',
  },
  fr: {
    invitation: 'Accepter l’invitation',
    invited: 'Vous êtes invité à travailler dans {workspace} sur Earshot, en tant que {email}.',
    ownPassword: 'Le mot de passe de votre compte Earshot',
    name: 'Votre nom',
    newPassword: 'Un nouveau mot de passe',
    rule: 'Au moins 10 caractères.',
    join: 'Rejoindre',
    welcome: 'Bienvenue',
    joined: 'Vous êtes membre de {workspace}. Vous pouvez vous connecter.',
    invitationGone: 'Cette invitation n’est plus valable',
    invitationEnded: 'Elle a été utilisée ou retirée, ou ses 7 jours sont passés. Demandez-en une nouvelle.',
    reset: 'Choisir un nouveau mot de passe',
    sessionsEnd: 'Toutes vos sessions se terminent dès qu’il est enregistré.',
    set: 'Enregistrer le mot de passe',
    isSet: 'Votre nouveau mot de passe est enregistré',
    signIn: 'Vous pouvez vous connecter avec ce mot de passe.',
    resetGone: 'Ce lien ne fonctionne plus',
    resetEnded: 'Il a été utilisé, ou son heure est passée. Demandez-en un nouveau sur la page de connexion.',
    check: 'Vérifiez votre saisie. Un mot de passe a de 10 à 200 caractères.',
    wrong: 'Ce mot de passe est incorrect.',
    busy: 'Trop de tentatives. Attendez quelques minutes.',
  },
  es: {
    invitation: 'Aceptar la invitación',
    invited: 'Le han invitado a trabajar en {workspace} en Earshot, como {email}.',
    ownPassword: 'La contraseña de su cuenta de Earshot',
    name: 'Su nombre',
    newPassword: 'Una contraseña nueva',
    rule: 'Al menos 10 caracteres.',
    join: 'Unirse',
    welcome: 'Le damos la bienvenida',
    joined: 'Ya es miembro de {workspace}. Ahora puede iniciar sesión.',
    invitationGone: 'Esta invitación ya no es válida',
    invitationEnded: 'Se usó o se retiró, o pasaron sus 7 días. Pida una nueva.',
    reset: 'Elegir una contraseña nueva',
    sessionsEnd: 'Todas sus sesiones terminan cuando se guarda.',
    set: 'Guardar la contraseña',
    isSet: 'Su contraseña nueva está guardada',
    signIn: 'Ahora puede iniciar sesión con ella.',
    resetGone: 'Este enlace ya no funciona',
    resetEnded: 'Se usó, o pasó su hora. Pida uno nuevo donde inicia sesión.',
    check: 'Revise lo que escribió. Una contraseña tiene de 10 a 200 caracteres.',
    wrong: 'Esta contraseña no es correcta.',
    busy: 'Hubo demasiados intentos. Espere unos minutos.',
  },
  it: {
    invitation: 'Accetta l’invito',
    invited: 'Hai ricevuto un invito a lavorare in {workspace} su Earshot, come {email}.',
    ownPassword: 'La password del tuo account Earshot',
    name: 'Il tuo nome',
    newPassword: 'Una nuova password',
    rule: 'Almeno 10 caratteri.',
    join: 'Partecipa',
    welcome: 'Ti diamo il benvenuto',
    joined: 'Ora fai parte di {workspace}. Puoi accedere.',
    invitationGone: 'Questo invito non è più valido',
    invitationEnded: 'È stato usato o ritirato, oppure i suoi 7 giorni sono passati. Chiedine uno nuovo.',
    reset: 'Scegli una nuova password',
    sessionsEnd: 'Tutte le tue sessioni terminano quando viene salvata.',
    set: 'Salva la password',
    isSet: 'La tua nuova password è salvata',
    signIn: 'Ora puoi accedere con questa password.',
    resetGone: 'Questo link non funziona più',
    resetEnded: 'È stato usato, oppure la sua ora è passata. Chiedine uno nuovo nella pagina di accesso.',
    check: 'Controlla quello che hai scritto. Una password ha da 10 a 200 caratteri.',
    wrong: 'Questa password è sbagliata.',
    busy: 'Troppi tentativi. Attendi qualche minuto.',
  },
  nl: {
    invitation: 'Uitnodiging aannemen',
    invited: 'U bent uitgenodigd om in {workspace} op Earshot te werken, als {email}.',
    ownPassword: 'Het wachtwoord van uw Earshot-account',
    name: 'Uw naam',
    newPassword: 'Een nieuw wachtwoord',
    rule: 'Minstens 10 tekens.',
    join: 'Deelnemen',
    welcome: 'Welkom',
    joined: 'U bent lid van {workspace}. U kunt nu inloggen.',
    invitationGone: 'Deze uitnodiging werkt niet meer',
    invitationEnded: 'Ze is gebruikt of ingetrokken, of haar 7 dagen zijn voorbij. Vraag een nieuwe.',
    reset: 'Nieuw wachtwoord instellen',
    sessionsEnd: 'Al uw sessies eindigen zodra het is ingesteld.',
    set: 'Wachtwoord instellen',
    isSet: 'Uw nieuwe wachtwoord is ingesteld',
    signIn: 'U kunt er nu mee inloggen.',
    resetGone: 'Deze link werkt niet meer',
    resetEnded: 'Hij is gebruikt, of zijn uur is voorbij. Vraag een nieuwe waar u inlogt.',
    check: 'Controleer wat u hebt getypt. Een wachtwoord heeft 10 tot 200 tekens.',
    wrong: 'Dit wachtwoord is onjuist.',
    busy: 'Er waren te veel pogingen. Wacht een paar minuten.',
  },
  pt: {
    invitation: 'Aceitar o convite',
    invited: 'Recebeu um convite para trabalhar em {workspace} no Earshot, como {email}.',
    ownPassword: 'A palavra-passe da sua conta Earshot',
    name: 'O seu nome',
    newPassword: 'Uma nova palavra-passe',
    rule: 'Pelo menos 10 caracteres.',
    join: 'Entrar',
    welcome: 'Boas-vindas',
    joined: 'Já é membro de {workspace}. Pode iniciar sessão.',
    invitationGone: 'Este convite já não é válido',
    invitationEnded: 'Foi usado ou retirado, ou os seus 7 dias passaram. Peça um novo.',
    reset: 'Definir uma nova palavra-passe',
    sessionsEnd: 'Todas as suas sessões terminam quando for definida.',
    set: 'Definir a palavra-passe',
    isSet: 'A sua nova palavra-passe está definida',
    signIn: 'Já pode iniciar sessão com ela.',
    resetGone: 'Este link já não funciona',
    resetEnded: 'Foi usado, ou a sua hora passou. Peça um novo onde inicia sessão.',
    check: 'Verifique o que escreveu. Uma palavra-passe tem de 10 a 200 caracteres.',
    wrong: 'Esta palavra-passe está errada.',
    busy: 'Houve demasiadas tentativas. Espere alguns minutos.',
  },
  pl: {
    invitation: 'Przyjmij zaproszenie',
    invited: 'Masz zaproszenie do pracy w {workspace} w Earshot, jako {email}.',
    ownPassword: 'Hasło do Twojego konta Earshot',
    name: 'Twoje imię i nazwisko',
    newPassword: 'Nowe hasło',
    rule: 'Co najmniej 10 znaków.',
    join: 'Dołącz',
    welcome: 'Witamy',
    joined: 'Należysz teraz do {workspace}. Możesz się zalogować.',
    invitationGone: 'To zaproszenie już nie działa',
    invitationEnded: 'Zostało użyte lub wycofane albo minęło jego 7 dni. Poproś o nowe.',
    reset: 'Ustaw nowe hasło',
    sessionsEnd: 'Wszystkie Twoje sesje zakończą się po jego ustawieniu.',
    set: 'Ustaw hasło',
    isSet: 'Twoje nowe hasło jest ustawione',
    signIn: 'Możesz się nim teraz zalogować.',
    resetGone: 'Ten link już nie działa',
    resetEnded: 'Został użyty albo minęła jego godzina. Poproś o nowy na stronie logowania.',
    check: 'Sprawdź, co wpisano. Hasło ma od 10 do 200 znaków.',
    wrong: 'To hasło jest nieprawidłowe.',
    busy: 'Było zbyt wiele prób. Poczekaj kilka minut.',
  },
  ar: {
    invitation: 'قبول الدعوة',
    invited: 'أنت مدعو للعمل في {workspace} على Earshot باسم {email}.',
    ownPassword: 'كلمة مرور حسابك في Earshot',
    name: 'اسمك',
    newPassword: 'كلمة مرور جديدة',
    rule: '10 أحرف على الأقل.',
    join: 'انضمام',
    welcome: 'أهلاً بك',
    joined: 'أنت الآن عضو في {workspace}. يمكنك تسجيل الدخول.',
    invitationGone: 'هذه الدعوة لم تعد صالحة',
    invitationEnded: 'استُخدمت أو سُحبت، أو انتهت أيامها السبعة. اطلب دعوة جديدة.',
    reset: 'تعيين كلمة مرور جديدة',
    sessionsEnd: 'تنتهي كل جلساتك عند تعيينها.',
    set: 'تعيين كلمة المرور',
    isSet: 'تم تعيين كلمة المرور الجديدة',
    signIn: 'يمكنك تسجيل الدخول بها الآن.',
    resetGone: 'هذا الرابط لم يعد يعمل',
    resetEnded: 'استُخدم أو انتهت ساعته. اطلب رابطاً جديداً من صفحة تسجيل الدخول.',
    check: 'تحقق مما كتبته. كلمة المرور من 10 إلى 200 حرف.',
    wrong: 'كلمة المرور هذه غير صحيحة.',
    busy: 'محاولات كثيرة جداً. انتظر بضع دقائق.',
  },
}

/** The words in the first language that a browser accepts, and the language that they are in. English if there is none. */
export function accountPageMessages(accepted: string): { language: string; words: AccountPageMessages } {
  const language = accepted in ALL ? accepted : 'en'
  return { language, words: ALL[language] as AccountPageMessages }
}

/** What to correct, by the status of the problem. */
export function problemIn(words: AccountPageMessages, status: number): string {
  if (status === 401) return words.wrong
  return status === 429 ? words.busy : words.check
}
