const GONE: Record<string, string> = {
  en: 'This link does not work any more.',
  de: 'Dieser Link funktioniert nicht mehr.',
  fr: 'Ce lien ne fonctionne plus.',
  es: 'Este enlace ya no funciona.',
  it: 'Questo link non funziona più.',
  nl: 'Deze link werkt niet meer.',
  pt: 'Este link não funciona mais.',
  pl: 'Ten link już nie działa.',
  ar: 'لم يعد هذا الرابط يعمل.',
}

/** That a link leads nowhere, in the language or in English. */
export function goneIn(language: string): { language: string; title: string } {
  const title = GONE[language]
  return title === undefined ? { language: 'en', title: GONE['en'] ?? '' } : { language, title }
}
