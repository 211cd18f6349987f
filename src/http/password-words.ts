/** The words of a form with a password. */
export interface PasswordWords {
  newPassword: string
  rule: string
  check: string
  wrong: string
  busy: string
}

const ALL: Record<string, PasswordWords> = {
  en: {
    newPassword: 'A new password',
    rule: 'At least 10 characters.',
    check: 'A password needs at least 10 characters. Check what you typed.',
    wrong: 'This password is wrong.',
    busy: 'There were too many attempts. Wait a few minutes.',
  },
  de: {
    newPassword: 'Ein neues Passwort',
    rule: 'Mindestens 10 Zeichen.',
    check: 'Prüfen Sie Ihre Eingabe. Ein Passwort hat 10 bis 200 Zeichen.',
    wrong: 'Dieses Passwort ist falsch.',
    busy: 'Es gab zu viele Versuche. Warten Sie ein paar Minuten.',
  },
  fr: {
    newPassword: 'Un nouveau mot de passe',
    rule: 'Au moins 10 caractères.',
    check: 'Vérifiez votre saisie. Un mot de passe a de 10 à 200 caractères.',
    wrong: 'Ce mot de passe est incorrect.',
    busy: 'Trop de tentatives. Attendez quelques minutes.',
  },
  es: {
    newPassword: 'Una contraseña nueva',
    rule: 'Al menos 10 caracteres.',
    check: 'Revise lo que escribió. Una contraseña tiene de 10 a 200 caracteres.',
    wrong: 'Esta contraseña no es correcta.',
    busy: 'Hubo demasiados intentos. Espere unos minutos.',
  },
  it: {
    newPassword: 'Una nuova password',
    rule: 'Almeno 10 caratteri.',
    check: 'Controlla quello che hai scritto. Una password ha da 10 a 200 caratteri.',
    wrong: 'Questa password è sbagliata.',
    busy: 'Troppi tentativi. Attendi qualche minuto.',
  },
  nl: {
    newPassword: 'Een nieuw wachtwoord',
    rule: 'Minstens 10 tekens.',
    check: 'Controleer wat u hebt getypt. Een wachtwoord heeft 10 tot 200 tekens.',
    wrong: 'Dit wachtwoord is onjuist.',
    busy: 'Er waren te veel pogingen. Wacht een paar minuten.',
  },
  pt: {
    newPassword: 'Uma nova palavra-passe',
    rule: 'Pelo menos 10 caracteres.',
    check: 'Verifique o que escreveu. Uma palavra-passe tem de 10 a 200 caracteres.',
    wrong: 'Esta palavra-passe está errada.',
    busy: 'Houve demasiadas tentativas. Espere alguns minutos.',
  },
  pl: {
    newPassword: 'Nowe hasło',
    rule: 'Co najmniej 10 znaków.',
    check: 'Sprawdź, co wpisano. Hasło ma od 10 do 200 znaków.',
    wrong: 'To hasło jest nieprawidłowe.',
    busy: 'Było zbyt wiele prób. Poczekaj kilka minut.',
  },
  ar: {
    newPassword: 'كلمة مرور جديدة',
    rule: '10 أحرف على الأقل.',
    check: 'تحقق مما كتبته. كلمة المرور من 10 إلى 200 حرف.',
    wrong: 'كلمة المرور هذه غير صحيحة.',
    busy: 'محاولات كثيرة جداً. انتظر بضع دقائق.',
  },
}

/** English for a language that we do not have. */
export function passwordWords(language: string): PasswordWords {
  return (ALL[language] ?? ALL['en']) as PasswordWords
}

/** What to correct, by the status of the problem. */
export function passwordProblem(language: string, status: number): string {
  const { wrong, busy, check } = passwordWords(language)
  if (status === 401) return wrong
  return status === 429 ? busy : check
}
