interface Messages {
  unknown: string
  gone: string
}

const ALL: Record<string, Messages> = {
  en: { unknown: 'There is nothing at this address.', gone: 'This link has expired.' },
  de: { unknown: 'Unter dieser Adresse gibt es nichts.', gone: 'Dieser Link ist abgelaufen.' },
  fr: { unknown: 'Il n’y a rien à cette adresse.', gone: 'Ce lien a expiré.' },
  es: { unknown: 'No hay nada en esta dirección.', gone: 'Este enlace ha caducado.' },
  it: { unknown: 'A questo indirizzo non c’è nulla.', gone: 'Questo link è scaduto.' },
  nl: { unknown: 'Op dit adres is niets te vinden.', gone: 'Deze link is verlopen.' },
  pt: { unknown: 'Não há nada neste endereço.', gone: 'Este link expirou.' },
  pl: { unknown: 'Pod tym adresem nic nie ma.', gone: 'Ten link wygasł.' },
  ar: { unknown: 'لا يوجد شيء على هذا العنوان.', gone: 'انتهت صلاحية هذا الرابط.' },
}

/** The messages in a language, or in English if there is no translation, with the language used. */
export function messagesIn(language: string): Messages & { language: string } {
  const found = ALL[language]
  return found ? { ...found, language } : { ...(ALL['en'] as Messages), language: 'en' }
}
