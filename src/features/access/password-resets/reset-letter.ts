interface Words {
  subject: string
  asked: string
  within: string
  code: string
  otherwise: string
}

const en: Words = {
  subject: 'Set a new password',
  asked: 'Somebody asked for a new Earshot password for this address.',
  within: 'Set it within an hour:',
  code: 'The reset as a code, for programs:',
  otherwise: 'If it was not you, do nothing: your password stays as it is.',
}

const WORDS: Record<string, Words> = {
  en,
  de: {
    subject: 'Neues Passwort setzen',
    asked: 'Jemand hat für diese Adresse ein neues Passwort bei Earshot angefordert.',
    within: 'Setzen Sie es innerhalb einer Stunde:',
    code: 'Der Link als Code, für Programme:',
    otherwise: 'Wenn Sie das nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
  fr: {
    subject: 'Choisir un nouveau mot de passe',
    asked: 'Quelqu’un a demandé un nouveau mot de passe Earshot pour cette adresse.',
    within: 'Choisissez-le dans l’heure\u00a0:',
    code: 'Le lien sous forme de code, pour les programmes\u00a0:',
    otherwise: 'Si ce n’était pas vous, ne faites rien\u00a0: votre mot de passe reste le même.',
  },
  es: {
    subject: 'Elegir una contraseña nueva',
    asked: 'Alguien ha pedido una contraseña nueva de Earshot para esta dirección.',
    within: 'Elíjala en el plazo de una hora:',
    code: 'El enlace como código, para programas:',
    otherwise: 'Si no ha sido usted, no haga nada: su contraseña no cambia.',
  },
  it: {
    subject: 'Scelga una nuova password',
    asked: 'Qualcuno ha chiesto una nuova password di Earshot per questo indirizzo.',
    within: 'La scelga entro un’ora:',
    code: 'Il link come codice, per i programmi:',
    otherwise: 'Se la richiesta non è sua, non faccia nulla: la sua password resta com’è.',
  },
  nl: {
    subject: 'Nieuw wachtwoord instellen',
    asked: 'Iemand heeft voor dit adres een nieuw wachtwoord van Earshot aangevraagd.',
    within: 'Stel het binnen een uur in:',
    code: 'De link als code, voor programma’s:',
    otherwise: 'Was u het niet? Doe dan niets: uw wachtwoord blijft zoals het is.',
  },
  pt: {
    subject: 'Definir uma nova senha',
    asked: 'Alguém pediu uma nova senha do Earshot para este endereço.',
    within: 'Defina-a em até uma hora:',
    code: 'O link como código, para programas:',
    otherwise: 'Se não foi você, não faça nada: a sua senha fica como está.',
  },
  pl: {
    subject: 'Ustaw nowe hasło',
    asked: 'Ktoś poprosił o nowe hasło do Earshot dla tego adresu.',
    within: 'Proszę ustawić je w ciągu godziny:',
    code: 'Link jako kod, dla programów:',
    otherwise: 'Jeśli to nie Państwo, proszę nic nie robić: hasło pozostaje bez zmian.',
  },
  ar: {
    subject: 'تعيين كلمة مرور جديدة',
    asked: 'طلب أحدهم كلمة مرور جديدة في Earshot لهذا العنوان.',
    within: 'يرجى تعيينها خلال ساعة:',
    code: 'الرابط كرمز، للبرامج:',
    otherwise: 'إن لم يكن هذا الطلب منك، فلا داعي لأي إجراء: تبقى كلمة مرورك كما هي.',
  },
}

/** The mail with the link to set a new password. English where nobody has translated it. */
export function resetLetter(language: string, { url, token }: { url: string; token: string }) {
  const known = language in WORDS ? language : 'en'
  const { subject, asked, within, code, otherwise } = WORDS[known] ?? en
  return {
    language: known,
    subject,
    action: subject,
    text: `${asked}\n\n${within}\n\n${url}\n\n${code}\n${token}\n\n${otherwise}\n`,
  }
}
