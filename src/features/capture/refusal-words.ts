/** What the respondent page says when it cannot show or take an answer. */
export interface RefusalWords {
  linkRequired: string
  linkUnknown: string
  linkExpired: string
  tooLarge: string
  unreadable: string
  tooMany: string
  unavailable: string
  failed: string
  /** Before the id by which whoever runs the server finds the request. */
  reference: string
  /** Text stands under "Other", here in the respondent's language, while another choice is ticked. */
  otherUnchosen: (other: string) => string
}

const en: RefusalWords = {
  linkRequired: 'This survey needs your personal link. Please open the link in the message that you were sent.',
  linkUnknown: 'This link is not valid for this survey. Please open the link in the message that you were sent, or ask for a new one.',
  linkExpired: 'This link has expired. Please ask for a new one.',
  tooLarge: 'Your answers are too long to be sent. Please go back and shorten them. Nothing was stored.',
  unreadable: 'Your answers did not arrive in a form that we can read. Please open the survey again. Nothing was stored.',
  tooMany: 'There are too many requests at the moment. Please wait a minute and try again.',
  unavailable: 'We cannot store anything at the moment. Please go back and send your answers again in a minute.',
  failed: 'Something went wrong on our side. Please go back and try again in a minute.',
  reference: 'Reference:',
  otherUnchosen: (other) => `You wrote something under “${other}” but chose another answer. Choose “${other}”, or clear the text.`,
}

const de: RefusalWords = {
  linkRequired: 'Für diese Umfrage brauchen Sie Ihren persönlichen Link. Bitte öffnen Sie den Link aus der Nachricht, die Sie erhalten haben.',
  linkUnknown: 'Dieser Link gilt nicht für diese Umfrage. Bitte öffnen Sie den Link aus der Nachricht, die Sie erhalten haben, oder bitten Sie um einen neuen.',
  linkExpired: 'Dieser Link ist abgelaufen. Bitte bitten Sie um einen neuen.',
  tooLarge: 'Ihre Antworten sind zu lang zum Absenden. Bitte gehen Sie zurück und kürzen Sie sie. Es wurde nichts gespeichert.',
  unreadable: 'Ihre Antworten kamen nicht lesbar an. Bitte öffnen Sie die Umfrage noch einmal. Es wurde nichts gespeichert.',
  tooMany: 'Im Moment gibt es zu viele Anfragen. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
  unavailable: 'Wir können im Moment nichts speichern. Bitte gehen Sie zurück und senden Sie Ihre Antworten in einer Minute noch einmal.',
  failed: 'Bei uns ist etwas schiefgegangen. Bitte gehen Sie zurück und versuchen Sie es in einer Minute noch einmal.',
  reference: 'Kennung:',
  otherUnchosen: (other) => `Sie haben etwas unter „${other}“ geschrieben, aber eine andere Antwort gewählt. Wählen Sie „${other}“ oder löschen Sie den Text.`,
}

const fr: RefusalWords = {
  linkRequired: 'Cette enquête demande votre lien personnel. Ouvrez le lien du message que vous avez reçu.',
  linkUnknown: 'Ce lien n’est pas valable pour cette enquête. Ouvrez le lien du message que vous avez reçu ou demandez-en un nouveau.',
  linkExpired: 'Ce lien a expiré. Demandez-en un nouveau.',
  tooLarge: 'Vos réponses sont trop longues pour être envoyées. Revenez en arrière et raccourcissez-les. Rien n’a été enregistré.',
  unreadable: 'Vos réponses sont arrivées sous une forme illisible. Ouvrez de nouveau l’enquête. Rien n’a été enregistré.',
  tooMany: 'Il y a trop de demandes en ce moment. Attendez une minute et réessayez.',
  unavailable: 'Nous ne pouvons rien enregistrer pour le moment. Revenez en arrière et renvoyez vos réponses dans une minute.',
  failed: 'Un problème est survenu de notre côté. Revenez en arrière et réessayez dans une minute.',
  reference: 'Référence :',
  otherUnchosen: (other) => `Vous avez écrit un texte sous « ${other} » mais choisi une autre réponse. Choisissez « ${other} » ou effacez le texte.`,
}

const es: RefusalWords = {
  linkRequired: 'Esta encuesta necesita su enlace personal. Abra el enlace del mensaje que recibió.',
  linkUnknown: 'Este enlace no es válido para esta encuesta. Abra el enlace del mensaje que recibió o pida uno nuevo.',
  linkExpired: 'Este enlace ha caducado. Pida uno nuevo.',
  tooLarge: 'Sus respuestas son demasiado largas para enviarlas. Vuelva atrás y acórtelas. No se ha guardado nada.',
  unreadable: 'Sus respuestas llegaron de una forma que no podemos leer. Abra la encuesta de nuevo. No se ha guardado nada.',
  tooMany: 'Hay demasiadas solicitudes en este momento. Espere un minuto e inténtelo de nuevo.',
  unavailable: 'Ahora mismo no podemos guardar nada. Vuelva atrás y envíe sus respuestas de nuevo dentro de un minuto.',
  failed: 'Algo ha fallado por nuestra parte. Vuelva atrás e inténtelo de nuevo dentro de un minuto.',
  reference: 'Referencia:',
  otherUnchosen: (other) => `Ha escrito algo en «${other}», pero ha elegido otra respuesta. Elija «${other}» o borre el texto.`,
}

const it: RefusalWords = {
  linkRequired: 'Per questo sondaggio serve il tuo link personale. Apri il link nel messaggio che hai ricevuto.',
  linkUnknown: 'Questo link non è valido per questo sondaggio. Apri il link nel messaggio che hai ricevuto oppure chiedine uno nuovo.',
  linkExpired: 'Questo link è scaduto. Chiedine uno nuovo.',
  tooLarge: 'Le tue risposte sono troppo lunghe per essere inviate. Torna indietro e accorciale. Non è stato salvato nulla.',
  unreadable: 'Le tue risposte non sono arrivate in una forma leggibile. Apri di nuovo il sondaggio. Non è stato salvato nulla.',
  tooMany: 'In questo momento ci sono troppe richieste. Attendi un minuto e riprova.',
  unavailable: 'In questo momento non possiamo salvare nulla. Torna indietro e invia di nuovo le risposte tra un minuto.',
  failed: 'Qualcosa non ha funzionato da parte nostra. Torna indietro e riprova tra un minuto.',
  reference: 'Riferimento:',
  otherUnchosen: (other) => `Hai scritto qualcosa in «${other}» ma hai scelto un’altra risposta. Scegli «${other}» oppure cancella il testo.`,
}

const nl: RefusalWords = {
  linkRequired: 'Voor deze enquête hebt u uw persoonlijke link nodig. Open de link in het bericht dat u hebt ontvangen.',
  linkUnknown: 'Deze link is niet geldig voor deze enquête. Open de link in het bericht dat u hebt ontvangen of vraag een nieuwe aan.',
  linkExpired: 'Deze link is verlopen. Vraag een nieuwe aan.',
  tooLarge: 'Uw antwoorden zijn te lang om te versturen. Ga terug en maak ze korter. Er is niets opgeslagen.',
  unreadable: 'Uw antwoorden zijn niet leesbaar aangekomen. Open de enquête opnieuw. Er is niets opgeslagen.',
  tooMany: 'Er zijn op dit moment te veel verzoeken. Wacht een minuut en probeer het opnieuw.',
  unavailable: 'We kunnen op dit moment niets opslaan. Ga terug en verstuur uw antwoorden over een minuut opnieuw.',
  failed: 'Er ging bij ons iets mis. Ga terug en probeer het over een minuut opnieuw.',
  reference: 'Kenmerk:',
  otherUnchosen: (other) => `U hebt iets bij ‘${other}’ geschreven maar een ander antwoord gekozen. Kies ‘${other}’ of wis de tekst.`,
}

const pt: RefusalWords = {
  linkRequired: 'Este questionário precisa do seu link pessoal. Abra o link da mensagem que recebeu.',
  linkUnknown: 'Este link não é válido para este questionário. Abra o link da mensagem que recebeu ou peça um novo.',
  linkExpired: 'Este link expirou. Peça um novo.',
  tooLarge: 'As suas respostas são demasiado longas para serem enviadas. Volte atrás e encurte-as. Nada foi guardado.',
  unreadable: 'As suas respostas não chegaram de forma legível. Abra o questionário de novo. Nada foi guardado.',
  tooMany: 'Há demasiados pedidos neste momento. Aguarde um minuto e tente de novo.',
  unavailable: 'Neste momento não podemos guardar nada. Volte atrás e envie as suas respostas de novo dentro de um minuto.',
  failed: 'Algo correu mal do nosso lado. Volte atrás e tente de novo dentro de um minuto.',
  reference: 'Referência:',
  otherUnchosen: (other) => `Escreveu algo em «${other}», mas escolheu outra resposta. Escolha «${other}» ou apague o texto.`,
}

const pl: RefusalWords = {
  linkRequired: 'Ta ankieta wymaga osobistego linku. Proszę otworzyć link z otrzymanej wiadomości.',
  linkUnknown: 'Ten link nie jest ważny dla tej ankiety. Proszę otworzyć link z otrzymanej wiadomości lub poprosić o nowy.',
  linkExpired: 'Ten link wygasł. Proszę poprosić o nowy.',
  tooLarge: 'Odpowiedzi są zbyt długie, aby je wysłać. Proszę wrócić i je skrócić. Nic nie zostało zapisane.',
  unreadable: 'Nie możemy odczytać przesłanych odpowiedzi. Proszę otworzyć ankietę ponownie. Nic nie zostało zapisane.',
  tooMany: 'W tej chwili jest zbyt wiele zapytań. Proszę poczekać minutę i spróbować ponownie.',
  unavailable: 'W tej chwili nie możemy niczego zapisać. Proszę wrócić i wysłać odpowiedzi ponownie za minutę.',
  failed: 'Coś poszło nie tak po naszej stronie. Proszę wrócić i spróbować ponownie za minutę.',
  reference: 'Numer zgłoszenia:',
  otherUnchosen: (other) => `W polu „${other}” jest tekst, ale wybrano inną odpowiedź. Proszę wybrać „${other}” albo usunąć tekst.`,
}

const ar: RefusalWords = {
  linkRequired: 'يحتاج هذا الاستبيان إلى رابطك الشخصي. يُرجى فتح الرابط الموجود في الرسالة التي وصلتك.',
  linkUnknown: 'هذا الرابط غير صالح لهذا الاستبيان. يُرجى فتح الرابط الموجود في الرسالة التي وصلتك أو طلب رابط جديد.',
  linkExpired: 'انتهت صلاحية هذا الرابط. يُرجى طلب رابط جديد.',
  tooLarge: 'إجاباتك أطول من أن تُرسَل. يُرجى الرجوع واختصارها. لم يُحفَظ شيء.',
  unreadable: 'لم تصل إجاباتك بصيغة يمكننا قراءتها. يُرجى فتح الاستبيان من جديد. لم يُحفَظ شيء.',
  tooMany: 'هناك طلبات كثيرة جدًا في الوقت الحالي. يُرجى الانتظار دقيقة ثم المحاولة من جديد.',
  unavailable: 'لا يمكننا حفظ أي شيء في الوقت الحالي. يُرجى الرجوع وإرسال إجاباتك من جديد بعد دقيقة.',
  failed: 'حدث خطأ من جهتنا. يُرجى الرجوع والمحاولة من جديد بعد دقيقة.',
  reference: 'الرقم المرجعي:',
  otherUnchosen: (other) => `كتبت شيئًا تحت «${other}» لكنك اخترت إجابة مختلفة. اختر «${other}» أو امسح النص.`,
}

const WORDS: Record<string, RefusalWords> = { en, de, fr, es, it, nl, pt, pl, ar }

/** English stands in for a language without words of its own. */
export function refusalWordsIn(language: string): RefusalWords {
  const base = language.split('-', 1)[0]?.toLowerCase() ?? ''
  return (Object.hasOwn(WORDS, base) ? WORDS[base] : undefined) ?? en
}
