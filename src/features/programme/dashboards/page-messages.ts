interface Messages {
  gone: string
  password: string
  open: string
  wrong: string
  few: string
  busy: string
  /** Of a figure: the ends of its interval. */
  likely: string
  /** Of a figure: that of the period before. */
  before: string
  /** Of a long series. */
  newest: string
}

const ALL: Record<string, Messages> = {
  en: {
    gone: 'This link does not work any more.',
    password: 'Password',
    open: 'Open',
    wrong: 'This password is wrong.',
    few: 'Not enough answers yet',
    busy: 'There were too many attempts. Wait a few minutes.',
    likely: 'likely between {low} and {high}',
    before: 'before: {value}',
    newest: 'Shown: the newest {shown} of {all}.',
  },
  de: {
    gone: 'Dieser Link funktioniert nicht mehr.',
    password: 'Passwort',
    open: 'Öffnen',
    wrong: 'Dieses Passwort ist falsch.',
    few: 'Noch nicht genug Antworten',
    busy: 'Es gab zu viele Versuche. Warten Sie ein paar Minuten.',
    likely: 'wahrscheinlich zwischen {low} und {high}',
    before: 'vorher: {value}',
    newest: 'Gezeigt: die neuesten {shown} von {all}.',
  },
  fr: {
    gone: 'Ce lien ne fonctionne plus.',
    password: 'Mot de passe',
    open: 'Ouvrir',
    wrong: 'Ce mot de passe est incorrect.',
    few: 'Pas encore assez de réponses',
    busy: 'Trop de tentatives. Attendez quelques minutes.',
    likely: 'probablement entre {low} et {high}',
    before: 'avant : {value}',
    newest: 'Affichés : les {shown} plus récents sur {all}.',
  },
  es: {
    gone: 'Este enlace ya no funciona.',
    password: 'Contraseña',
    open: 'Abrir',
    wrong: 'Esta contraseña no es correcta.',
    few: 'Todavía no hay suficientes respuestas',
    busy: 'Demasiados intentos. Espere unos minutos.',
    likely: 'probablemente entre {low} y {high}',
    before: 'antes: {value}',
    newest: 'Se muestran los {shown} más recientes de {all}.',
  },
  it: {
    gone: 'Questo link non funziona più.',
    password: 'Password',
    open: 'Apri',
    wrong: 'Questa password è errata.',
    few: 'Non ci sono ancora abbastanza risposte',
    busy: 'Troppi tentativi. Attenda qualche minuto.',
    likely: 'probabilmente tra {low} e {high}',
    before: 'prima: {value}',
    newest: 'Mostrati: i {shown} più recenti su {all}.',
  },
  nl: {
    gone: 'Deze link werkt niet meer.',
    password: 'Wachtwoord',
    open: 'Openen',
    wrong: 'Dit wachtwoord is onjuist.',
    few: 'Nog niet genoeg antwoorden',
    busy: 'Te veel pogingen. Wacht een paar minuten.',
    likely: 'waarschijnlijk tussen {low} en {high}',
    before: 'eerder: {value}',
    newest: 'Getoond: de nieuwste {shown} van {all}.',
  },
  pt: {
    gone: 'Este link não funciona mais.',
    password: 'Senha',
    open: 'Abrir',
    wrong: 'Esta senha está incorreta.',
    few: 'Ainda não há respostas suficientes',
    busy: 'Houve tentativas demais. Aguarde alguns minutos.',
    likely: 'provavelmente entre {low} e {high}',
    before: 'antes: {value}',
    newest: 'Exibidos: os {shown} mais recentes de {all}.',
  },
  pl: {
    gone: 'Ten link już nie działa.',
    password: 'Hasło',
    open: 'Otwórz',
    wrong: 'To hasło jest nieprawidłowe.',
    few: 'Jeszcze za mało odpowiedzi',
    busy: 'Zbyt wiele prób. Proszę poczekać kilka minut.',
    likely: 'prawdopodobnie między {low} a {high}',
    before: 'wcześniej: {value}',
    newest: 'Pokazane: najnowsze {shown} z {all}.',
  },
  ar: {
    gone: 'لم يعد هذا الرابط يعمل.',
    password: 'كلمة المرور',
    open: 'فتح',
    wrong: 'كلمة المرور غير صحيحة.',
    few: 'لا توجد إجابات كافية بعد',
    busy: 'محاولات كثيرة جدًا. يرجى الانتظار بضع دقائق.',
    likely: 'على الأرجح بين {low} و{high}',
    before: 'سابقًا: {value}',
    newest: 'المعروض: أحدث {shown} من أصل {all}.',
  },
}

export function messagesIn(language: string): Messages {
  return ALL[language] ?? (ALL['en'] as Messages)
}
