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
    sessionsEnd: 'This ends all your sessions.',
    set: 'Set the password',
    isSet: 'Your new password is set',
    signIn: 'You can sign in with it now.',
    resetGone: 'This link does not work any more',
    resetEnded: 'It was used, or it is older than an hour. Ask for a new one where you sign in.',
  },
  de: {
    reset: 'Neues Passwort setzen',
    sessionsEnd: 'Damit enden alle Ihre Sitzungen.',
    set: 'Passwort setzen',
    isSet: 'Ihr neues Passwort ist gesetzt',
    signIn: 'Sie können sich jetzt damit anmelden.',
    resetGone: 'Dieser Link funktioniert nicht mehr',
    resetEnded: 'Er wurde schon benutzt oder ist älter als eine Stunde. Fordern Sie bei der Anmeldung einen neuen an.',
  },
  fr: {
    reset: 'Choisir un nouveau mot de passe',
    sessionsEnd: 'Cela met fin à toutes vos sessions.',
    set: 'Enregistrer le mot de passe',
    isSet: 'Votre nouveau mot de passe est enregistré',
    signIn: 'Vous pouvez vous connecter avec ce mot de passe.',
    resetGone: 'Ce lien ne fonctionne plus',
    resetEnded: 'Il a déjà été utilisé ou date de plus d’une heure. Demandez-en un nouveau sur la page de connexion.',
  },
  es: {
    reset: 'Elegir una contraseña nueva',
    sessionsEnd: 'Al guardarla, se cierran todas sus sesiones.',
    set: 'Guardar la contraseña',
    isSet: 'Su nueva contraseña está guardada',
    signIn: 'Ahora puede iniciar sesión con ella.',
    resetGone: 'Este enlace ya no funciona',
    resetEnded: 'Ya se ha usado o tiene más de una hora. Pida uno nuevo en la página de inicio de sesión.',
  },
  it: {
    reset: 'Scelga una nuova password',
    sessionsEnd: 'Al salvataggio terminano tutte le sue sessioni.',
    set: 'Salva la password',
    isSet: 'La sua nuova password è salvata',
    signIn: 'Ora può accedere con questa password.',
    resetGone: 'Questo link non funziona più',
    resetEnded: 'È già stato usato o ha più di un’ora. Ne chieda uno nuovo nella pagina di accesso.',
  },
  nl: {
    reset: 'Nieuw wachtwoord instellen',
    sessionsEnd: 'Daarmee eindigen al uw sessies.',
    set: 'Wachtwoord instellen',
    isSet: 'Uw nieuwe wachtwoord is ingesteld',
    signIn: 'U kunt er nu mee inloggen.',
    resetGone: 'Deze link werkt niet meer',
    resetEnded: 'Hij is al gebruikt of ouder dan een uur. Vraag een nieuwe aan op de inlogpagina.',
  },
  pt: {
    reset: 'Definir uma nova senha',
    sessionsEnd: 'Isso encerra todas as suas sessões.',
    set: 'Definir a senha',
    isSet: 'A sua nova senha foi definida',
    signIn: 'Agora você pode entrar com ela.',
    resetGone: 'Este link não funciona mais',
    resetEnded: 'Ele já foi usado ou tem mais de uma hora. Peça um novo na página de entrada.',
  },
  pl: {
    reset: 'Ustaw nowe hasło',
    sessionsEnd: 'Spowoduje to zakończenie wszystkich Państwa sesji.',
    set: 'Ustaw hasło',
    isSet: 'Nowe hasło jest ustawione',
    signIn: 'Można się nim teraz zalogować.',
    resetGone: 'Ten link już nie działa',
    resetEnded: 'Został już użyty albo minęła godzina. Proszę poprosić o nowy na stronie logowania.',
  },
  ar: {
    reset: 'تعيين كلمة مرور جديدة',
    sessionsEnd: 'عند تعيينها تنتهي كل جلساتك.',
    set: 'تعيين كلمة المرور',
    isSet: 'تم تعيين كلمة المرور الجديدة',
    signIn: 'يمكنك تسجيل الدخول بها الآن.',
    resetGone: 'هذا الرابط لم يعد يعمل',
    resetEnded: 'سبق استخدامه أو مضت عليه أكثر من ساعة. يرجى طلب رابط جديد من صفحة تسجيل الدخول.',
  },
}

/** The words in a language, and the language that they are in. English if we do not have it. */
export function resetWords(accepted: string): { language: string; words: ResetWords } {
  const language = accepted in ALL ? accepted : 'en'
  return { language, words: ALL[language] as ResetWords }
}
