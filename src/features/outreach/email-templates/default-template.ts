import { directionOf } from '../../../platform/direction.ts'
import type { EmailContent } from './email-content.ts'

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
    choose: 'Choose a number to begin. You can still change it.',
    start: 'Answer the survey',
    other: 'Or open the survey',
    reason: 'You receive this because {{ workspace.name }} asks for your opinion.',
    unsubscribe: 'Unsubscribe',
  },
  de: {
    subject: '{{ workspace.name }} fragt nach Ihrer Meinung',
    hello: 'Guten Tag{% if name != blank %} {{ name }}{% endif %},',
    intro: 'wir möchten gern von Ihnen hören. Es dauert ein, zwei Minuten.',
    choose: 'Wählen Sie eine Zahl, um zu beginnen. Sie können sie noch ändern.',
    start: 'Zur Umfrage',
    other: 'Oder die Umfrage öffnen',
    reason: 'Sie erhalten diese Nachricht, weil {{ workspace.name }} nach Ihrer Meinung fragt.',
    unsubscribe: 'Abmelden',
  },
  fr: {
    subject: '{{ workspace.name }} vous demande votre avis',
    hello: 'Bonjour{% if name != blank %} {{ name }}{% endif %},',
    intro: 'votre avis nous intéresse. Cela prend une à deux minutes.',
    choose: 'Choisissez un nombre pour commencer. Vous pourrez encore le changer.',
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
    subject: '{{ workspace.name }} chiede la Sua opinione',
    hello: 'Buongiorno{% if name != blank %} {{ name }}{% endif %},',
    intro: 'vorremmo conoscere la Sua opinione. Bastano uno o due minuti.',
    choose: 'Scelga un numero per iniziare. Potrà ancora cambiarlo.',
    start: 'Rispondi al sondaggio',
    other: 'Oppure apra il sondaggio',
    reason: 'Riceve questo messaggio perché {{ workspace.name }} chiede la Sua opinione.',
    unsubscribe: 'Annulla l’iscrizione',
  },
  nl: {
    subject: '{{ workspace.name }} vraagt naar uw mening',
    hello: 'Goedendag{% if name != blank %} {{ name }}{% endif %},',
    intro: 'we horen graag uw mening. Het kost een of twee minuten.',
    choose: 'Kies een cijfer om te beginnen. U kunt het nog wijzigen.',
    start: 'Enquête invullen',
    other: 'Of open de enquête',
    reason: 'U ontvangt dit bericht omdat {{ workspace.name }} naar uw mening vraagt.',
    unsubscribe: 'Afmelden',
  },
  pt: {
    subject: '{{ workspace.name }} gostaria de saber a sua opinião',
    hello: 'Olá{% if name != blank %} {{ name }}{% endif %},',
    intro: 'gostaríamos de saber a sua opinião. Leva um ou dois minutos.',
    choose: 'Escolha um número para começar. Ainda poderá mudá-lo.',
    start: 'Responder à pesquisa',
    other: 'Ou abrir a pesquisa',
    reason: 'Recebe esta mensagem porque {{ workspace.name }} gostaria de saber a sua opinião.',
    unsubscribe: 'Cancelar a inscrição',
  },
  pl: {
    subject: '{{ workspace.name }} prosi o opinię',
    hello: 'Dzień dobry{% if name != blank %} {{ name }}{% endif %},',
    intro: 'chcielibyśmy poznać Państwa opinię. Zajmie to minutę lub dwie.',
    choose: 'Aby zacząć, proszę wybrać liczbę. Można ją jeszcze zmienić.',
    start: 'Wypełnij ankietę',
    other: 'Albo otwórz ankietę',
    reason: 'Otrzymują Państwo tę wiadomość, ponieważ {{ workspace.name }} prosi o opinię.',
    unsubscribe: 'Zrezygnuj z wiadomości',
  },
  ar: {
    subject: 'تود {{ workspace.name }} معرفة رأيك',
    hello: 'مرحبًا{% if name != blank %} {{ name }}{% endif %}،',
    intro: 'نود معرفة رأيك. لن يستغرق الأمر أكثر من دقيقة أو دقيقتين.',
    choose: 'اختر رقمًا للبدء. يمكنك تغييره لاحقًا.',
    start: 'أجب عن الاستبيان',
    other: 'أو افتح الاستبيان',
    reason: 'وصلتك هذه الرسالة لأن {{ workspace.name }} تود معرفة رأيك.',
    unsubscribe: 'إلغاء الاشتراك',
  },
}

/** What mails say by themselves; English where nobody has translated it. */
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

// Tables and inline styles, for mail programs that know nothing else; the style sheet only adds the dark colours.
function htmlOf(language: string, words: Words): string {
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${words.subject}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.ground{background:#141319!important}.paper{background:#1f1e26!important;border-color:#45434f!important}.ink{color:#f1f0f5!important}.soft,.soft a{color:#b3b0bf!important}.score{color:#f1f0f5!important;border-color:#b3b0bf!important;background:#2b2935!important}.accent{background:{{ workspace.dark_color }}!important;color:{{ workspace.dark_text_color }}!important}}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f3f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="background:#f4f3f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
<tr><td class="ink" style="padding:0 8px 16px;font:600 16px/24px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#1c1b22">{% if workspace.logo_url %}<img src="{{ workspace.logo_url }}" alt="{{ workspace.name }}" height="40" style="display:block;height:40px;max-width:240px;border:0">{% else %}{{ workspace.name }}{% endif %}</td></tr>
<tr><td class="paper" style="padding:32px 24px;background:#ffffff;border:1px solid #d9d7e0;border-radius:16px">
<p class="ink" style="margin:0 0 16px;font:16px/24px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#1c1b22">${words.hello}</p>
<p class="ink" style="margin:0 0 24px;font:16px/24px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#1c1b22">{% if words != blank %}{{ words }}{% else %}${words.intro}{% endif %}</p>
{% if survey.question != blank %}<h1 class="ink" style="margin:0 0 16px;font:600 20px/28px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#1c1b22">{{ survey.question }}</h1>{% endif %}
{% if score_urls.size > 0 %}<p class="soft" style="margin:0 0 12px;font:14px/20px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#5b5966">${words.choose}</p>
{% score_links %}
<p class="soft" style="margin:16px 0 0;font:14px/20px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#5b5966"><a href="{{ survey_url }}" style="color:#5b5966">${words.other}</a></p>
{% else %}<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="accent" style="border-radius:8px;background:{{ workspace.color }}"><a href="{{ survey_url }}" class="accent" style="display:inline-block;padding:12px 28px;border-radius:8px;color:{{ workspace.text_color }};font:600 16px/24px system-ui,-apple-system,Segoe UI,Arial,sans-serif;text-decoration:none">${words.start}</a></td></tr></table>{% endif %}
</td></tr>
<tr><td class="soft" style="padding:16px 8px;font:13px/20px system-ui,-apple-system,Segoe UI,Arial,sans-serif;color:#5b5966">${words.reason} <a href="{{ unsubscribe_url }}" style="color:#5b5966">${words.unsubscribe}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`
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
