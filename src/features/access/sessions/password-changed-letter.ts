interface Words {
  subject: string
  changed: string
  others: string
  otherwise: string
}

const en: Words = {
  subject: 'Your password was changed',
  changed: 'The password of your Earshot account was changed.',
  others: 'All other sessions of your account have ended.',
  otherwise: 'If it was not you, ask for a new password where you sign in. That ends every session.',
}

const WORDS: Record<string, Words> = {
  en,
  de: {
    subject: 'Ihr Passwort wurde geändert',
    changed: 'Das Passwort Ihres Kontos bei Earshot wurde geändert.',
    others: 'Alle anderen Sitzungen Ihres Kontos sind beendet.',
    otherwise:
      'Wenn Sie das nicht waren, fordern Sie bei der Anmeldung ein neues Passwort an. Damit enden alle Sitzungen.',
  },
  fr: {
    subject: 'Votre mot de passe a été modifié',
    changed: 'Le mot de passe de votre compte Earshot a été modifié.',
    others: 'Toutes les autres sessions de votre compte sont terminées.',
    otherwise:
      'Si ce n’était pas vous, demandez un nouveau mot de passe sur la page de connexion. Cela met fin à toutes les ' +
      'sessions.',
  },
  es: {
    subject: 'Su contraseña ha cambiado',
    changed: 'La contraseña de su cuenta de Earshot ha cambiado.',
    others: 'Todas las demás sesiones de su cuenta se han cerrado.',
    otherwise:
      'Si no ha sido usted, pida una contraseña nueva en la página de inicio de sesión. Así se cierran todas las ' +
      'sesiones.',
  },
  it: {
    subject: 'La sua password è cambiata',
    changed: 'La password del suo account Earshot è stata cambiata.',
    others: 'Tutte le altre sessioni del suo account sono terminate.',
    otherwise:
      'Se non è stato lei, chieda una nuova password nella pagina di accesso. Così terminano tutte le sessioni.',
  },
  nl: {
    subject: 'Uw wachtwoord is gewijzigd',
    changed: 'Het wachtwoord van uw Earshot-account is gewijzigd.',
    others: 'Alle andere sessies van uw account zijn beëindigd.',
    otherwise: 'Was u het niet? Vraag dan op de inlogpagina een nieuw wachtwoord aan. Daarmee eindigen alle sessies.',
  },
  pt: {
    subject: 'A sua senha foi alterada',
    changed: 'A senha da sua conta do Earshot foi alterada.',
    others: 'Todas as outras sessões da sua conta foram encerradas.',
    otherwise: 'Se não foi você, peça uma nova senha na página de entrada. Isso encerra todas as sessões.',
  },
  pl: {
    subject: 'Hasło zostało zmienione',
    changed: 'Hasło do Państwa konta Earshot zostało zmienione.',
    others: 'Wszystkie inne sesje konta zostały zakończone.',
    otherwise: 'Jeśli to nie Państwo, proszę poprosić o nowe hasło na stronie logowania. Zakończy to wszystkie sesje.',
  },
  ar: {
    subject: 'تم تغيير كلمة مرورك',
    changed: 'تم تغيير كلمة مرور حسابك في Earshot.',
    others: 'انتهت كل الجلسات الأخرى لحسابك.',
    otherwise: 'إن لم تكن أنت من غيّرها، فاطلب كلمة مرور جديدة من صفحة تسجيل الدخول. وبذلك تنتهي كل الجلسات.',
  },
}

/** The mail after a person has changed their password. English where nobody has translated it. */
export function passwordChangedLetter(language: string) {
  const [main = 'en'] = language.toLowerCase().split('-')
  const known = main in WORDS ? main : 'en'
  const { subject, changed, others, otherwise } = WORDS[known] ?? en
  return { language: known, subject, text: `${changed}\n\n${others}\n\n${otherwise}\n` }
}
