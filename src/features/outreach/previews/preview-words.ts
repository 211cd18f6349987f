export interface PreviewWords {
  sms: string
  voice: string
  mail: string
  you: string
  reply: string
  spoken: string
  send: string
  again: string
  empty: string
  gone: string
}

const en: PreviewWords = {
  sms: 'Preview by SMS',
  voice: 'Preview of a call',
  mail: 'Preview of the mail, with the subject',
  you: 'You',
  reply: 'Your reply',
  spoken: 'What you say, or the keys that you press',
  send: 'Send',
  again: 'Start again',
  empty: 'This draft has no questions yet.',
  gone: 'This preview does not work any more.',
}

const WORDS: Record<string, PreviewWords> = {
  en,
  de: {
    sms: 'Vorschau per SMS',
    voice: 'Vorschau eines Anrufs',
    mail: 'Vorschau der E-Mail, mit dem Betreff',
    you: 'Sie',
    reply: 'Ihre Antwort',
    spoken: 'Was Sie sagen, oder die Tasten, die Sie drücken',
    send: 'Senden',
    again: 'Von vorn beginnen',
    empty: 'Dieser Entwurf hat noch keine Fragen.',
    gone: 'Diese Vorschau funktioniert nicht mehr.',
  },
  fr: {
    sms: 'Aperçu par SMS',
    voice: 'Aperçu d’un appel',
    mail: 'Aperçu de l’e-mail, avec l’objet',
    you: 'Vous',
    reply: 'Votre réponse',
    spoken: 'Ce que vous dites, ou les touches sur lesquelles vous appuyez',
    send: 'Envoyer',
    again: 'Recommencer',
    empty: 'Ce brouillon n’a pas encore de questions.',
    gone: 'Cet aperçu ne fonctionne plus.',
  },
  es: {
    sms: 'Vista previa por SMS',
    voice: 'Vista previa de una llamada',
    mail: 'Vista previa del correo, con el asunto',
    you: 'Usted',
    reply: 'Su respuesta',
    spoken: 'Lo que dice, o las teclas que pulsa',
    send: 'Enviar',
    again: 'Empezar de nuevo',
    empty: 'Este borrador aún no tiene preguntas.',
    gone: 'Esta vista previa ya no funciona.',
  },
  it: {
    sms: 'Anteprima via SMS',
    voice: 'Anteprima di una chiamata',
    mail: 'Anteprima dell’e-mail, con l’oggetto',
    you: 'Lei',
    reply: 'La sua risposta',
    spoken: 'Quello che dice, o i tasti che preme',
    send: 'Invia',
    again: 'Ricomincia',
    empty: 'Questa bozza non ha ancora domande.',
    gone: 'Questa anteprima non funziona più.',
  },
  nl: {
    sms: 'Voorbeeldweergave per sms',
    voice: 'Voorbeeldweergave van een gesprek',
    mail: 'Voorbeeldweergave van de e-mail, met het onderwerp',
    you: 'U',
    reply: 'Uw antwoord',
    spoken: 'Wat u zegt, of de toetsen die u indrukt',
    send: 'Versturen',
    again: 'Opnieuw beginnen',
    empty: 'Dit concept heeft nog geen vragen.',
    gone: 'Deze voorbeeldweergave werkt niet meer.',
  },
  pt: {
    sms: 'Pré-visualização por SMS',
    voice: 'Pré-visualização de uma ligação',
    mail: 'Pré-visualização do e-mail, com o assunto',
    you: 'Você',
    reply: 'A sua resposta',
    spoken: 'O que você diz, ou as teclas que você pressiona',
    send: 'Enviar',
    again: 'Começar de novo',
    empty: 'Este rascunho ainda não tem perguntas.',
    gone: 'Esta pré-visualização não funciona mais.',
  },
  pl: {
    sms: 'Podgląd przez SMS',
    voice: 'Podgląd rozmowy telefonicznej',
    mail: 'Podgląd e-maila, z tematem',
    you: 'Państwo',
    reply: 'Państwa odpowiedź',
    spoken: 'Co Państwo mówią lub jakie klawisze naciskają',
    send: 'Wyślij',
    again: 'Zacznij od nowa',
    empty: 'Ten szkic nie ma jeszcze pytań.',
    gone: 'Ten podgląd już nie działa.',
  },
  ar: {
    sms: 'معاينة عبر الرسائل القصيرة',
    voice: 'معاينة مكالمة',
    mail: 'معاينة رسالة البريد الإلكتروني مع الموضوع',
    you: 'أنت',
    reply: 'ردك',
    spoken: 'ما تقوله أو الأزرار التي تضغط عليها',
    send: 'إرسال',
    again: 'البدء من جديد',
    empty: 'لا توجد أسئلة في هذه المسودة بعد.',
    gone: 'لم تعد هذه المعاينة تعمل.',
  },
}

/** The words of a preview. English where nobody has translated them. */
export function previewWords(language: string): PreviewWords {
  return WORDS[language.split('-', 1)[0]?.toLowerCase() ?? ''] ?? en
}
