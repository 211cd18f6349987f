import { describe, expect, test } from 'vitest'
import { languageOf } from './language.ts'

const ENGLISH = `
terrible awful horrible service, I hate it
worst support ever, never again
app crashes all the time
no idea, really
good but a bit pricey
Delivery was late again
could be better, could be worse
Not impressed at all, sorry
fantastic team, super fast
meh
Parking is a total nightmare
Rude cashier, dirty tables
love love love it
a real disaster from start to finish
Nice place, nice people, nice prices
still waiting for a refund
my order never arrived
Everything fine, no complaints
Too expensive for a small portion
the menu has no vegan options
Login fails on mobile
Battery lasts a day, maximum
it is ok I guess
Great atmosphere, cosy corner
horrible, simply horrible
Cancelled my subscription today
Super friendly staff in Berlin
Please add dark mode
totally unacceptable behaviour
I adore this product
Bad sound, bad image, bad manual
minor issues, major potential
Hotel manager was superb
a tad slow on Android
Camera is amazing, screen is not
Poor signal, poor value
Best pizza in Torino, hands down
waited an hour on the phone
Total rip off
Do not install this update`

const GERMAN = `
furchtbarer Service, nie wieder
Lieferung kam zu spät
alles super, gerne wieder
Das Essen war kalt
App stürzt ständig ab
nette Leute, fairer Preis
Viel zu teuer für die Qualität
Leider keine Antwort bekommen
ganz okay
Der Kellner war unfreundlich
Ich bin total begeistert
Hotline nicht erreichbar
Passwort lässt sich nicht ändern
Schnell, sauber, freundlich
nichts zu meckern
Ware beschädigt angekommen
Bitte mehr vegane Gerichte
Die Wartezeit war unmöglich
Warum so kompliziert?
Super Beratung im Laden
Preis hoch, Leistung niedrig
Rechnung war falsch
Mein Paket ist verschwunden
Parkplatz zu klein
immer wieder gern
katastrophal, einfach katastrophal
gute Idee, schlechte Umsetzung
Bin sehr enttäuscht
Update hat alles kaputt gemacht
Mitarbeiter sehr kompetent
es geht so
Toller Kundendienst
Kein WLAN im Zimmer
Das Bett war hart
Anmeldung klappt nicht
Service top, Essen flop
endlich mal ein guter Laden
langsam und unübersichtlich
Danke für die schnelle Hilfe
Schrott`

const SPANISH = `
servicio horrible, no vuelvo
todo perfecto, gracias
La comida estaba fría
muy caro para lo que es
el pedido nunca llegó
Personal muy amable
La app no funciona
nadie contesta el teléfono
bastante bien
Me encanta este sitio
una vergüenza total
Entrega rápida y segura
No me devuelven el dinero
El baño estaba sucio
Buena relación calidad precio
Demasiado ruido por la noche
excelente atención
podría ser mejor
La espera fue eterna
Camarero grosero
regular, sin más
Mejoren la página web
Producto roto, caja abierta
Volveremos seguro
no lo recomiendo a nadie
Genial, como siempre
Cobraron dos veces
sabor increíble
Falta aparcamiento
muy lento y confuso
Fatal
Gran equipo, gran trabajo
Habitación pequeña pero limpia
mala experiencia
cancelé mi cuenta
Todo llegó a tiempo
No hay opciones veganas
qué maravilla de lugar
precio justo
Me atendieron de maravilla`

const ARABIC = `
خدمة سيئة جدا
شكرا جزيلا
التوصيل متأخر
الطعام بارد
تجربة رائعة
السعر مرتفع
لن أعود أبدا
الموظفون لطفاء
التطبيق لا يعمل
ممتاز
لم يصل طلبي
جودة ضعيفة
مكان جميل وهادئ
الانتظار طويل
أحببت المنتج
لا أنصح به
خدمة العملاء لا ترد
نظيف ومرتب
غير مقبول
جيد جدا`

const linesOf = (text: string) => text.trim().split('\n')
const guessed = (text: string, expected: string, languages: string[]) =>
  linesOf(text).filter((line) => languageOf(line, expected, languages) !== expected)

describe('short sentences', () => {
  test.each([
    ['en', ENGLISH, 40],
    ['de', GERMAN, 40],
    ['es', SPANISH, 40],
    ['ar', ARABIC, 20],
  ])('in %s are never taken for another language in a survey that has only theirs', (language, text, n) => {
    expect(linesOf(text)).toHaveLength(n)
    expect(guessed(text, language, [language])).toEqual([])
    expect(guessed(text, language, [`${language}-XX`])).toEqual([])
  })

  test.each([
    ['en', ENGLISH],
    ['de', GERMAN],
    ['es', SPANISH],
    ['ar', ARABIC],
  ])('in %s keep the language of their response in a survey of four', (language, text) => {
    expect(guessed(text, language, ['en', 'de', 'es', 'ar'])).toEqual([])
  })

  test.each([ENGLISH, GERMAN, SPANISH])('are in a language of the survey, whatever they are', (text) => {
    for (const line of linesOf(text)) expect(['pl', 'tr']).toContain(languageOf(line, 'tr', ['pl', 'tr']))
  })

  test('in Arabic are seen by their script in a survey without it', () => {
    for (const line of linesOf(ARABIC)) expect(languageOf(line, 'en', ['en'])).toBe('ar')
  })
})

const LONG = {
  de: 'Die Lieferung kam zwei Tage später als versprochen, und am Telefon konnte mir niemand sagen, wo das Paket war. Erst nach drei Anrufen hat sich jemand darum gekümmert. Das nächste Mal bestelle ich woanders.',
  es: 'El pedido llegó tres días tarde y nadie contestaba el teléfono cuando llamé para preguntar. Al final me devolvieron una parte del dinero, pero perdí mucho tiempo con todo esto y no pienso volver.',
  fr: 'La livraison est arrivée avec trois jours de retard et personne ne répondait au téléphone quand j’ai appelé. On m’a enfin remboursé une partie, mais j’ai perdu beaucoup de temps avec cette histoire.',
  it: 'La consegna è arrivata con tre giorni di ritardo e nessuno rispondeva al telefono quando ho chiamato. Alla fine mi hanno rimborsato una parte, ma ho perso molto tempo con questa storia.',
  pl: 'Przesyłka dotarła trzy dni za późno i nikt nie odbierał telefonu, kiedy dzwoniłam z pytaniem. W końcu zwrócono mi część pieniędzy, ale straciłam na to wszystko bardzo dużo czasu.',
  en: 'The parcel arrived three days late and nobody answered the phone when I called to ask where it was. In the end they gave me a part of my money back, but I lost a lot of time with all of this.',
}

test.each(Object.entries(LONG))('a long text in %s is seen in a survey of another language', (language, text) => {
  expect(text.length).toBeGreaterThan(150)
  for (const survey of ['en', 'de', 'es', 'tr', 'ar', 'ja'].filter((one) => one !== language))
    expect(languageOf(text, survey, [survey]), survey).toBe(language)
})

test.each([
  ['Die Lieferung kam viel zu spät, wirklich sehr ärgerlich.', 'en', ['en', 'de', 'es'], 'de'],
  ['Die Lieferung kam viel zu spät, wirklich sehr ärgerlich.', 'en', ['en'], 'en'],
  ['Great service, thank you', 'ar', ['ar', 'en'], 'en'],
  ['Great service, thank you', 'ar', ['ar'], 'ar'],
  ['非常好，送货很快', 'en', ['en'], 'zh'],
  ['非常好，送货很快', 'ja', ['ja', 'en'], 'ja'],
  ['とても良いサービスでした', 'en', ['en'], 'ja'],
  ['サービス最高', 'zh', ['zh'], 'ja'],
  ['배송이 너무 늦었어요', 'en', ['en'], 'ko'],
  ['Очень плохо, еда холодная', 'en', ['en'], 'ru'],
  ['Дуже погано, їжа холодна', 'ru', ['ru'], 'uk'],
  ['Много добро обслужване', 'bg', ['bg'], 'bg'],
  ['Πολύ αργή παράδοση', 'en', ['en'], 'el'],
  ['บริการดีมาก', 'en', ['en'], 'th'],
  ['बहुत अच्छी सेवा', 'en', ['en'], 'hi'],
  ['שירות מצוין', 'en', ['en'], 'he'],
  ['خدمات عالی بود', 'fa', ['fa'], 'fa'],
  ['iPhone 很好用，推荐', 'en', ['en', 'zh'], 'zh'],
  ['I bought the 寿司 set and the ramen bowl', 'en', ['en'], 'en'],
  ['👍👍👍', 'de', ['de', 'en'], 'de'],
  ['10/10', 'pt-BR', ['pt-BR'], 'pt'],
  ['Ok', 'de_DE', ['de'], 'de'],
  ['', 'sv', [], 'sv'],
  [
    'Leveringen kom alt for sent, og ingen svarede på telefonen, da jeg ringede for at spørge efter den.',
    'da',
    ['da'],
    'da',
  ],
] as const)('%j of a response in %s to a survey in %j is in %s', (text, expected, languages, language) => {
  expect(languageOf(text, expected, languages)).toBe(language)
})
