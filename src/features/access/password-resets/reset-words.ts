/** The words of the page on which a person sets a new password. */
export interface ResetWords {
  reset: string
  sessionsEnd: string
  set: string
  isSet: string
  signIn: string
  resetGone: string
  resetEnded: string
}

const ALL: Record<string, ResetWords> = {
  en: {
    reset: 'Set a new password',
    sessionsEnd: 'All your sessions end when it is set.',
    set: 'Set the password',
    isSet: 'Your new password is set',
    signIn: 'You can sign in with it now.',
    resetGone: 'This link does not work any more',
    resetEnded: 'It was used, or its hour is over. Ask for a new one where you sign in.',
  },
  de: {
    reset: 'Neues Passwort setzen',
    sessionsEnd: 'Alle Ihre Sitzungen enden, sobald es gesetzt ist.',
    set: 'Passwort setzen',
    isSet: 'Ihr neues Passwort ist gesetzt',
    signIn: 'Sie können sich jetzt damit anmelden.',
    resetGone: 'Dieser Link funktioniert nicht mehr',
    resetEnded: 'Er wurde benutzt, oder seine Stunde ist vorbei. Fordern Sie bei der Anmeldung einen neuen an.',
  },
  fr: {
    reset: 'Choisir un nouveau mot de passe',
    sessionsEnd: 'Toutes vos sessions se terminent dès qu’il est enregistré.',
    set: 'Enregistrer le mot de passe',
    isSet: 'Votre nouveau mot de passe est enregistré',
    signIn: 'Vous pouvez vous connecter avec ce mot de passe.',
    resetGone: 'Ce lien ne fonctionne plus',
    resetEnded: 'Il a été utilisé, ou son heure est passée. Demandez-en un nouveau sur la page de connexion.',
  },
  es: {
    reset: 'Elegir una contraseña nueva',
    sessionsEnd: 'Todas sus sesiones terminan cuando se guarda.',
    set: 'Guardar la contraseña',
    isSet: 'Su contraseña nueva está guardada',
    signIn: 'Ahora puede iniciar sesión con ella.',
    resetGone: 'Este enlace ya no funciona',
    resetEnded: 'Se usó, o pasó su hora. Pida uno nuevo donde inicia sesión.',
  },
  it: {
    reset: 'Scegli una nuova password',
    sessionsEnd: 'Tutte le tue sessioni terminano quando viene salvata.',
    set: 'Salva la password',
    isSet: 'La tua nuova password è salvata',
    signIn: 'Ora puoi accedere con questa password.',
    resetGone: 'Questo link non funziona più',
    resetEnded: 'È stato usato, oppure la sua ora è passata. Chiedine uno nuovo nella pagina di accesso.',
  },
  nl: {
    reset: 'Nieuw wachtwoord instellen',
    sessionsEnd: 'Al uw sessies eindigen zodra het is ingesteld.',
    set: 'Wachtwoord instellen',
    isSet: 'Uw nieuwe wachtwoord is ingesteld',
    signIn: 'U kunt er nu mee inloggen.',
    resetGone: 'Deze link werkt niet meer',
    resetEnded: 'Hij is gebruikt, of zijn uur is voorbij. Vraag een nieuwe waar u inlogt.',
  },
  pt: {
    reset: 'Definir uma nova palavra-passe',
    sessionsEnd: 'Todas as suas sessões terminam quando for definida.',
    set: 'Definir a palavra-passe',
    isSet: 'A sua nova palavra-passe está definida',
    signIn: 'Já pode iniciar sessão com ela.',
    resetGone: 'Este link já não funciona',
    resetEnded: 'Foi usado, ou a sua hora passou. Peça um novo onde inicia sessão.',
  },
  pl: {
    reset: 'Ustaw nowe hasło',
    sessionsEnd: 'Wszystkie Twoje sesje zakończą się po jego ustawieniu.',
    set: 'Ustaw hasło',
    isSet: 'Twoje nowe hasło jest ustawione',
    signIn: 'Możesz się nim teraz zalogować.',
    resetGone: 'Ten link już nie działa',
    resetEnded: 'Został użyty albo minęła jego godzina. Poproś o nowy na stronie logowania.',
  },
  ar: {
    reset: 'تعيين كلمة مرور جديدة',
    sessionsEnd: 'تنتهي كل جلساتك عند تعيينها.',
    set: 'تعيين كلمة المرور',
    isSet: 'تم تعيين كلمة المرور الجديدة',
    signIn: 'يمكنك تسجيل الدخول بها الآن.',
    resetGone: 'هذا الرابط لم يعد يعمل',
    resetEnded: 'استُخدم أو انتهت ساعته. اطلب رابطاً جديداً من صفحة تسجيل الدخول.',
  },
}

/** The words in a language that a browser accepts, and the language that they are in. English if we do not have it. */
export function resetWords(accepted: string): { language: string; words: ResetWords } {
  const language = accepted in ALL ? accepted : 'en'
  return { language, words: ALL[language] as ResetWords }
}
