import { html } from 'hono/html'
import type { AppContext } from './context.ts'
import { acceptedLanguage, noticePage } from './notice-page.ts'

const WORDS: Record<string, [title: string, advice: string]> = {
  en: ['There is no such page', 'Check the address, or ask the person who sent you the link.'],
  de: [
    'Diese Seite gibt es nicht',
    'Prüfen Sie die Adresse, oder fragen Sie die Person, die Ihnen den Link geschickt hat.',
  ],
  fr: ['Cette page n’existe pas', 'Vérifiez l’adresse, ou demandez à la personne qui vous a envoyé le lien.'],
  es: ['Esta página no existe', 'Revise la dirección o pregunte a quien le envió el enlace.'],
  it: ['Questa pagina non esiste', 'Controlli l’indirizzo o chieda a chi le ha mandato il link.'],
  nl: ['Deze pagina bestaat niet', 'Controleer het adres, of vraag het aan degene die u de link stuurde.'],
  pt: ['Esta página não existe', 'Verifique o endereço ou pergunte a quem enviou o link.'],
  pl: ['Nie ma takiej strony', 'Proszę sprawdzić adres albo zapytać osobę, która przysłała link.'],
  ar: ['هذه الصفحة غير موجودة', 'يرجى التحقق من العنوان أو سؤال من أرسل إليك الرابط.'],
}

/** What a browser shows at an address without a route. */
export function notFoundPage(c: AppContext): Promise<Response> {
  const language = acceptedLanguage(c)
  const [title, advice] = WORDS[language] as (typeof WORDS)[string]
  return noticePage(c, { status: 404, language, title, content: html`<p>${advice}</p>` })
}
