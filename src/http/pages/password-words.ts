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
    newPassword: 'New password',
    rule: 'At least 10 characters.',
    check: 'A password needs at least 10 characters. Check what you typed.',
    wrong: 'This password is wrong.',
    busy: 'There were too many attempts. Wait a few minutes.',
  },
  de: {
    newPassword: 'Neues Passwort',
    rule: 'Mindestens 10 Zeichen.',
    check: 'Prüfen Sie Ihre Eingabe. Ein Passwort hat 10 bis 200 Zeichen.',
    wrong: 'Dieses Passwort ist falsch.',
    busy: 'Es gab zu viele Versuche. Warten Sie ein paar Minuten.',
  },
  fr: {
    newPassword: 'Nouveau mot de passe',
    rule: 'Au moins 10 caractères.',
    check: 'Vérifiez votre saisie. Un mot de passe compte de 10 à 200 caractères.',
    wrong: 'Ce mot de passe est incorrect.',
    busy: 'Trop de tentatives. Attendez quelques minutes.',
  },
  es: {
    newPassword: 'Contraseña nueva',
    rule: 'Al menos 10 caracteres.',
    check: 'Revise lo que ha escrito. Una contraseña tiene de 10 a 200 caracteres.',
    wrong: 'Esta contraseña no es correcta.',
    busy: 'Ha habido demasiados intentos. Espere unos minutos.',
  },
  it: {
    newPassword: 'Nuova password',
    rule: 'Almeno 10 caratteri.',
    check: 'Controlli quello che ha scritto. Una password ha da 10 a 200 caratteri.',
    wrong: 'Questa password è errata.',
    busy: 'Troppi tentativi. Attenda qualche minuto.',
  },
  nl: {
    newPassword: 'Nieuw wachtwoord',
    rule: 'Minstens 10 tekens.',
    check: 'Controleer wat u hebt getypt. Een wachtwoord heeft 10 tot 200 tekens.',
    wrong: 'Dit wachtwoord is onjuist.',
    busy: 'Er waren te veel pogingen. Wacht een paar minuten.',
  },
  pt: {
    newPassword: 'Nova senha',
    rule: 'Pelo menos 10 caracteres.',
    check: 'Verifique o que você digitou. Uma senha tem de 10 a 200 caracteres.',
    wrong: 'Esta senha está incorreta.',
    busy: 'Houve tentativas demais. Aguarde alguns minutos.',
  },
  pl: {
    newPassword: 'Nowe hasło',
    rule: 'Co najmniej 10 znaków.',
    check: 'Proszę sprawdzić wpisane hasło. Hasło ma od 10 do 200 znaków.',
    wrong: 'To hasło jest nieprawidłowe.',
    busy: 'Było zbyt wiele prób. Proszę poczekać kilka minut.',
  },
  ar: {
    newPassword: 'كلمة مرور جديدة',
    rule: '10 أحرف على الأقل.',
    check: 'يرجى التحقق مما كتبته. تتكون كلمة المرور من 10 إلى 200 حرف.',
    wrong: 'كلمة المرور هذه غير صحيحة.',
    busy: 'محاولات كثيرة جدًا. يرجى الانتظار بضع دقائق.',
  },
}

/** English for a language that we do not have. */
export function passwordWords(language: string): PasswordWords {
  return (ALL[language] ?? ALL['en']) as PasswordWords
}

/** The correction to ask for, by the status of the problem. */
export function passwordProblem(language: string, status: number): string {
  const { wrong, busy, check } = passwordWords(language)
  if (status === 401) return wrong
  return status === 429 ? busy : check
}
