import { mailButton, mailFrame, mailHeading, mailParagraph } from '../../../platform/look/mail-frame.ts'
import type { EmailContent } from './email-content.ts'
import { DARK, LIGHT } from '../../../platform/look/tokens.ts'

interface Words {
  subject: string
  hello: string
  intro: string
  choose: string
  start: string
  other: string
  reason: string
  unsubscribe: string
}

const WORDS: Record<string, Words> = {
  en: {
    subject: '{{ workspace.name }} asks for your opinion',
    hello: 'Hello{% if name != blank %} {{ name }}{% endif %},',
    intro: 'we would like to hear from you. It takes a minute or two.',
    choose: 'Choose a number to begin. You can change it later.',
    start: 'Answer the survey',
    other: 'Or open the survey',
    reason: 'You receive this because {{ workspace.name }} asks for your opinion.',
    unsubscribe: 'Unsubscribe',
  },
  de: {
    subject: '{{ workspace.name }} fragt nach Ihrer Meinung',
    hello: 'Guten Tag{% if name != blank %} {{ name }}{% endif %},',
    intro: 'wir möchten gern Ihre Meinung hören. Es dauert ein bis zwei Minuten.',
    choose: 'Wählen Sie eine Zahl, um zu beginnen. Sie können sie später noch ändern.',
    start: 'Zur Umfrage',
    other: 'Oder die Umfrage öffnen',
    reason: 'Sie erhalten diese Nachricht, weil {{ workspace.name }} nach Ihrer Meinung fragt.',
    unsubscribe: 'Abmelden',
  },
  fr: {
    subject: '{{ workspace.name }} vous demande votre avis',
    hello: 'Bonjour{% if name != blank %} {{ name }}{% endif %},',
    intro: 'votre avis nous intéresse. Cela prend une à deux minutes.',
    choose: 'Choisissez un nombre pour commencer. Vous pourrez le changer ensuite.',
    start: 'Répondre à l’enquête',
    other: 'Ou ouvrir l’enquête',
    reason: 'Vous recevez ce message parce que {{ workspace.name }} vous demande votre avis.',
    unsubscribe: 'Se désabonner',
  },
  es: {
    subject: '{{ workspace.name }} le pide su opinión',
    hello: 'Hola{% if name != blank %}, {{ name }}{% endif %}:',
    intro: 'nos gustaría conocer su opinión. Le llevará uno o dos minutos.',
    choose: 'Elija un número para empezar. Podrá cambiarlo después.',
    start: 'Responder a la encuesta',
    other: 'O abrir la encuesta',
    reason: 'Recibe este mensaje porque {{ workspace.name }} le pide su opinión.',
    unsubscribe: 'Darse de baja',
  },
  it: {
    subject: '{{ workspace.name }} chiede la sua opinione',
    hello: 'Buongiorno{% if name != blank %} {{ name }}{% endif %},',
    intro: 'vorremmo conoscere la sua opinione. Bastano uno o due minuti.',
    choose: 'Scelga un numero per iniziare. Potrà cambiarlo in seguito.',
    start: 'Rispondi al sondaggio',
    other: 'Oppure apri il sondaggio',
    reason: 'Riceve questo messaggio perché {{ workspace.name }} chiede la sua opinione.',
    unsubscribe: 'Annulla l’iscrizione',
  },
  nl: {
    subject: '{{ workspace.name }} vraagt naar uw mening',
    hello: 'Goedendag{% if name != blank %} {{ name }}{% endif %},',
    intro: 'we horen graag uw mening. Het kost een of twee minuten.',
    choose: 'Kies een cijfer om te beginnen. U kunt het later nog wijzigen.',
    start: 'Enquête invullen',
    other: 'Of open de enquête',
    reason: 'U ontvangt dit bericht omdat {{ workspace.name }} naar uw mening vraagt.',
    unsubscribe: 'Afmelden',
  },
  pt: {
    subject: '{{ workspace.name }} gostaria de saber a sua opinião',
    hello: 'Olá{% if name != blank %} {{ name }}{% endif %},',
    intro: 'gostaríamos de saber a sua opinião. Leva um ou dois minutos.',
    choose: 'Escolha um número para começar. Você poderá mudá-lo depois.',
    start: 'Responder à pesquisa',
    other: 'Ou abrir a pesquisa',
    reason: 'Você recebeu esta mensagem porque {{ workspace.name }} gostaria de saber a sua opinião.',
    unsubscribe: 'Cancelar a inscrição',
  },
  pl: {
    subject: '{{ workspace.name }} prosi o opinię',
    hello: 'Dzień dobry{% if name != blank %} {{ name }}{% endif %},',
    intro: 'chcielibyśmy poznać Państwa opinię. Zajmie to minutę lub dwie.',
    choose: 'Aby zacząć, proszę wybrać liczbę. Można ją później zmienić.',
    start: 'Wypełnij ankietę',
    other: 'Albo otwórz ankietę',
    reason: 'Otrzymują Państwo tę wiadomość, ponieważ {{ workspace.name }} prosi o opinię.',
    unsubscribe: 'Zrezygnuj z wiadomości',
  },
  ar: {
    subject: 'يود فريق {{ workspace.name }} معرفة رأيك',
    hello: 'مرحبًا{% if name != blank %} {{ name }}{% endif %}،',
    intro: 'نود معرفة رأيك. لن يستغرق الأمر أكثر من دقيقة أو دقيقتين.',
    choose: 'يرجى اختيار رقم للبدء. يمكنك تغييره لاحقًا.',
    start: 'الإجابة عن الاستبيان',
    other: 'أو فتح الاستبيان',
    reason: 'وصلتك هذه الرسالة لأن فريق {{ workspace.name }} يود معرفة رأيك.',
    unsubscribe: 'إلغاء الاشتراك',
  },
}

const DARK_RULES =
  `.score{color:${DARK.ink}!important;border-color:${DARK.soft}!important;background:${DARK.ground}!important}` +
  '.accent{background:{{ workspace.dark_color }}!important;color:{{ workspace.dark_text_color }}!important}'

/** The fixed words of mails, in English where no translation exists. */
export function wordsIn(language: string): Pick<Words, 'unsubscribe'> {
  return WORDS[language.split('-', 1)[0]?.toLowerCase() ?? ''] ?? (WORDS['en'] as Words)
}

/** The built-in template: score links where the first question has a scale, else a button. */
export const DEFAULT_CONTENT: EmailContent = Object.fromEntries(
  Object.entries(WORDS).map(([language, words]) => [
    language,
    { subject: words.subject, html: htmlOf(language, words), text: textOf(words) },
  ]),
)
export const DEFAULT_LANGUAGE = 'en'

function htmlOf(language: string, words: Words): string {
  const { subject, hello, intro, choose, start, other, reason, unsubscribe } = words
  const button = mailButton('{{ survey_url }}', start, {
    ground: '{{ workspace.color }}',
    ink: '{{ workspace.text_color }}',
  })
  return mailFrame({
    language,
    title: subject,
    dark: DARK_RULES,
    header:
      '{% if workspace.logo_url %}<img src="{{ workspace.logo_url }}" alt="{{ workspace.name }}" height="40" style="display:block;height:40px;max-width:240px;border:0">{% else %}{{ workspace.name }}{% endif %}',
    body: `${mailParagraph(hello)}
${mailParagraph(`{% if words != blank %}{{ words }}{% else %}${intro}{% endif %}`, { below: 24 })}
{% if survey.question != blank %}${mailHeading('{{ survey.question }}')}{% endif %}
{% if score_urls.size > 0 %}${mailParagraph(choose, { kind: 'soft', below: 12 })}
{% score_links %}
<p class="soft" style="margin:16px 0 0;font:14px/20px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:${LIGHT.soft}"><a href="{{ survey_url }}" style="color:${LIGHT.soft}">${other}</a></p>
{% else %}${button}{% endif %}`,
    footer: `${reason} <a href="{{ unsubscribe_url }}" style="color:${LIGHT.soft}">${unsubscribe}</a>`,
  })
}

function textOf(words: Words): string {
  return `${words.hello}

{% if words != blank %}{{ words }}{% else %}${words.intro}{% endif %}
{% if survey.question != blank %}
{{ survey.question }}
{% endif %}{% if score_urls.size > 0 %}
${words.choose}
{% score_links %}

${words.other}: {{ survey_url }}
{% else %}
${words.start}: {{ survey_url }}
{% endif %}
--
${words.reason}
${words.unsubscribe}: {{ unsubscribe_url }}
`
}
