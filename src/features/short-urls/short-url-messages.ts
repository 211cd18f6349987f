interface Messages {
  unknown: string
  gone: string
}

const ALL: Record<string, Messages> = {
  en: { unknown: 'There is nothing at this address.', gone: 'This link has expired.' },
  de: { unknown: 'Unter dieser Adresse gibt es nichts.', gone: 'Dieser Link ist abgelaufen.' },
  fr: { unknown: 'Il n’y a rien à cette adresse.', gone: 'Ce lien a expiré.' },
  es: { unknown: 'No hay nada en esta dirección.', gone: 'Este enlace ha caducado.' },
}

/** In the language, or in English where nobody has translated it; with the tag that it then is. */
export function messagesIn(language: string): Messages & { language: string } {
  const found = ALL[language]
  return found ? { ...found, language } : { ...(ALL['en'] as Messages), language: 'en' }
}
