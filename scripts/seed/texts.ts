import type { Chance } from './chance.ts'

export type Language = 'en' | 'de' | 'es'
export type Mood = 'good' | 'mixed' | 'bad'
export type Programme = 'purchase' | 'support' | 'onboarding'
export type Incident = 'strike' | 'outage'

type Texts = Record<Language, Record<Mood, readonly string[]>>

const PURCHASE: Texts = {
  en: {
    good: [
      'Arrived a day early and well packed',
      'Great quality for the price, would buy again',
      'My third order and never a problem so far',
      'The driver waited while I signed, really friendly',
      'Easy to find what I wanted, paid in two clicks',
      'Looks even better than in the pictures',
      'Love it!! already told my sister',
      'fast delivery, no fuss',
    ],
    mixed: [
      'Product is fine but the delivery window was too vague',
      'Good shoes, a bit pricey if you ask me',
      'ok. website could be quicker',
      'Nice, though the box was much too big for one mug',
      'Does what it should, nothing special',
      'Took a while but in the end all good',
    ],
    bad: [
      'Second time that the box was crushed. Please call me',
      'Wrong size again and I have to pay for the return??',
      'Waited nine days, nobody answers the mails',
      'The zip broke after a week',
      'I was charged twice and still wait for my money',
      'never again tbh',
      'Colour has nothing to do with the picture',
    ],
  },
  de: {
    good: [
      'Super schnell geliefert, gut verpackt',
      'Tolle Qualität, gerne wieder',
      'Alles bestens wie immer',
      'Der Fahrer war sehr freundlich und hat sogar angerufen',
      'passt perfekt, preis stimmt auch',
      'Einfach bestellt, zwei Tage später da. So soll es sein!',
    ],
    mixed: [
      'Ware gut, Lieferung könnte schneller sein',
      'ganz ok, etwas teuer',
      'Eigentlich zufrieden, nur der Karton war riesig',
      'Die Seite ist etwas unübersichtlich, aber hat geklappt',
    ],
    bad: [
      'Paket war aufgerissen und der Becher kaputt',
      'Rücksendung muss ich selber zahlen, unmöglich',
      'Seit zehn Tagen warte ich auf mein Geld',
      'Falsche Farbe geliefert und niemand meldet sich',
      'nie wieder',
      'Reißverschluss nach einer Woche defekt, schade',
    ],
  },
  es: {
    good: [
      'Llegó antes de lo previsto y muy bien embalado',
      'Muy buena calidad, repetiré seguro',
      'Todo perfecto como siempre',
      'El repartidor muy amable',
      'me encanta, ya lo recomendé a mi hermana',
    ],
    mixed: [
      'El producto bien, el envío un poco lento',
      'Está bien pero algo caro',
      'Correcto, aunque la web va lenta',
      'Cumple, sin más',
    ],
    bad: [
      'La caja llegó rota por segunda vez',
      'Me cobraron dos veces y nadie responde',
      'Llevo diez días esperando el reembolso',
      'Talla equivocada y encima pago la devolución',
      'no vuelvo a comprar aquí',
    ],
  },
}

const SUPPORT: Texts = {
  en: {
    good: [
      'Solved in five minutes, thank you!',
      'Really patient with me, explained it twice',
      'Quick answer and a refund the same day',
      'Finally somebody who listens',
      'great help, cheers',
    ],
    mixed: [
      'Friendly, but I had to explain everything three times',
      'Problem solved, waiting time was long though',
      'ok in the end',
    ],
    bad: [
      'Forty minutes on hold and then cut off',
      'Still not solved. Same copy and paste answer as last week',
      'Nobody knew anything about my ticket',
      'The chat just closed on me',
    ],
  },
  de: {
    good: [
      'Sehr freundlich und schnell geholfen',
      'Problem in fünf Minuten gelöst, danke!',
      'Endlich mal jemand der zuhört',
      'top service',
    ],
    mixed: ['Nett, aber lange Wartezeit', 'Hat geklappt, musste aber alles dreimal erklären', 'geht so'],
    bad: [
      'Vierzig Minuten Warteschleife und dann aufgelegt',
      'Immer noch keine Lösung, nur Textbausteine',
      'Keiner wusste von meinem Ticket',
    ],
  },
  es: {
    good: ['Muy amable y rápido, gracias', 'Lo resolvieron en cinco minutos', 'por fin alguien que escucha'],
    mixed: ['Amables, pero mucha espera', 'Lo tuve que explicar tres veces, al final bien'],
    bad: ['Cuarenta minutos esperando y se cortó', 'Sigue sin solución, siempre la misma respuesta', 'Pésima atención'],
  },
}

const ONBOARDING: Texts = {
  en: {
    good: ['Set up in ten minutes, the checklist helped', 'Clear steps, nice video', 'easier than I thought'],
    mixed: ['Fine once I found the import button', 'Some words in the wizard are hard to understand'],
    bad: [
      'The import failed three times without saying why',
      'Confusing, I gave up on the integration',
      'Too many steps before I could see anything',
    ],
  },
  de: {
    good: ['In zehn Minuten eingerichtet, klasse', 'Klare Schritte, gutes Video'],
    mixed: ['Ging, als ich den Import gefunden hatte', 'Manche Begriffe sind schwer zu verstehen'],
    bad: ['Import dreimal fehlgeschlagen ohne Grund', 'Zu kompliziert, habe aufgegeben'],
  },
  es: {
    good: ['Listo en diez minutos, muy claro', 'El vídeo ayuda mucho'],
    mixed: ['Bien cuando encontré el botón de importar', 'Algunos términos no se entienden'],
    bad: ['La importación falló tres veces sin explicar por qué', 'Demasiados pasos, lo dejé'],
  },
}

const INCIDENTS: Record<Incident, Record<Language, readonly string[]>> = {
  strike: {
    en: [
      'Parcel stuck in the depot for two weeks because of the strike, no word from you',
      'Delivery was twelve days late and tracking never moved',
      'I know about the strike but you could have told me. Late birthday present',
    ],
    de: [
      'Paket hängt seit zwei Wochen im Depot, Streik hin oder her, eine Info wäre nett',
      'Lieferung zwölf Tage zu spät, Sendungsverfolgung tot',
    ],
    es: ['El paquete lleva dos semanas parado por la huelga y nadie avisa', 'Entrega con doce días de retraso'],
  },
  outage: {
    en: [
      'App was down all morning and the status page said everything is fine',
      'Could not log in for two days!!',
      'Lost everything I had entered when it crashed',
    ],
    de: ['App den ganzen Vormittag nicht erreichbar', 'Zwei Tage kein Login möglich, unfassbar'],
    es: ['La aplicación estuvo caída toda la mañana', 'Dos días sin poder entrar'],
  },
}

const TEXTS: Record<Programme, Texts> = { purchase: PURCHASE, support: SUPPORT, onboarding: ONBOARDING }

/** A comment as people write it: one sentence or two, with their capitals, full stops and typing errors. */
export function commentOf(
  chance: Chance,
  about: { programme: Programme; language: Language; mood: Mood; incident: Incident | null },
): string {
  const { programme, language, mood, incident } = about
  const own = TEXTS[programme][language][mood]
  const first = incident !== null && mood === 'bad' ? chance.pick(INCIDENTS[incident][language]) : chance.pick(own)
  const second = chance.is(0.25) ? chance.pick(own) : first
  const whole = second === first ? first : `${first}${/[.!?]$/.test(first) ? '' : '.'} ${second}`
  return asTyped(chance, whole)
}

function asTyped(chance: Chance, text: string): string {
  const written = chance.is(0.2) ? text.toLowerCase() : text
  const ended = chance.is(0.35) && !/[.!?]$/.test(written) ? `${written}.` : written
  if (!chance.is(0.12)) return ended
  // Two letters of a word change places.
  const at = chance.whole(3, Math.max(4, ended.length - 3))
  return /^\p{L}{2}$/u.test(ended.slice(at, at + 2))
    ? `${ended.slice(0, at)}${ended[at + 1]}${ended[at]}${ended.slice(at + 2)}`
    : ended
}
