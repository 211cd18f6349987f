type Words = Record<string, [title: string, advice: string]>

const missing: Words = {
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

const wrongMethod: Words = {
  en: ['This page cannot be used in this way', 'Go back, or open the link that you were sent once more.'],
  de: [
    'So lässt sich diese Seite nicht benutzen',
    'Gehen Sie zurück, oder öffnen Sie den Link, den Sie bekommen haben, noch einmal.',
  ],
  fr: [
    'Cette page ne peut pas être utilisée ainsi',
    'Revenez en arrière, ou ouvrez de nouveau le lien que vous avez reçu.',
  ],
  es: ['Esta página no se puede usar así', 'Vuelva atrás o abra de nuevo el enlace que recibió.'],
  it: ['Questa pagina non si può usare così', 'Torni indietro o apra di nuovo il link che ha ricevuto.'],
  nl: ['Deze pagina kan niet zo worden gebruikt', 'Ga terug, of open de link die u kreeg opnieuw.'],
  pt: ['Esta página não pode ser usada assim', 'Volte ou abra novamente o link que recebeu.'],
  pl: ['Tej strony nie można użyć w ten sposób', 'Proszę wrócić albo ponownie otworzyć otrzymany link.'],
  ar: ['لا يمكن استخدام هذه الصفحة بهذه الطريقة', 'يرجى الرجوع أو فتح الرابط الذي وصلك من جديد.'],
}

const unreadable: Words = {
  en: ['We cannot read this request', 'Check the address, or go back, reload the page and try again.'],
  de: [
    'Wir können diese Anfrage nicht lesen',
    'Prüfen Sie die Adresse. Oder gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  ],
  fr: [
    'Nous ne pouvons pas lire cette demande',
    'Vérifiez l’adresse, ou revenez en arrière, rechargez la page et réessayez.',
  ],
  es: [
    'No podemos leer esta solicitud',
    'Revise la dirección, o vuelva atrás, recargue la página e inténtelo de nuevo.',
  ],
  it: [
    'Non riusciamo a leggere questa richiesta',
    'Controlli l’indirizzo, oppure torni indietro, ricarichi la pagina e riprovi.',
  ],
  nl: [
    'We kunnen dit verzoek niet lezen',
    'Controleer het adres, of ga terug, laad de pagina opnieuw en probeer het nog eens.',
  ],
  pt: [
    'Não conseguimos ler esta solicitação',
    'Verifique o endereço, ou volte, recarregue a página e tente novamente.',
  ],
  pl: [
    'Nie możemy odczytać tego zapytania',
    'Proszę sprawdzić adres albo wrócić, odświeżyć stronę i spróbować ponownie.',
  ],
  ar: ['لا يمكننا قراءة هذا الطلب', 'يرجى التحقق من العنوان، أو الرجوع وإعادة تحميل الصفحة والمحاولة من جديد.'],
}

const tooLarge: Words = {
  en: ['That is too much to be sent', 'Go back and shorten it. Nothing was stored.'],
  de: ['Das ist zu viel zum Absenden', 'Gehen Sie zurück und kürzen Sie es. Es wurde nichts gespeichert.'],
  fr: ['L’envoi est trop volumineux', 'Revenez en arrière et raccourcissez-le. Rien n’a été enregistré.'],
  es: ['El envío es demasiado largo', 'Vuelva atrás y acórtelo. No se ha guardado nada.'],
  it: ['L’invio è troppo lungo', 'Torni indietro e lo accorci. Non è stato salvato nulla.'],
  nl: ['Dit is te veel om te versturen', 'Ga terug en maak het korter. Er is niets opgeslagen.'],
  pt: ['O envio é longo demais', 'Volte e encurte-o. Nada foi salvo.'],
  pl: ['To zbyt dużo, aby to wysłać', 'Proszę wrócić i skrócić tekst. Nic nie zostało zapisane.'],
  ar: ['هذا أطول من أن يُرسَل', 'يرجى الرجوع واختصاره. لم يُحفَظ شيء.'],
}

const tooMany: Words = {
  en: ['There are too many requests', 'Wait a few minutes and try again.'],
  de: ['Es gibt zu viele Anfragen', 'Warten Sie ein paar Minuten und versuchen Sie es noch einmal.'],
  fr: ['Il y a trop de demandes', 'Attendez quelques minutes et réessayez.'],
  es: ['Hay demasiadas solicitudes', 'Espere unos minutos e inténtelo de nuevo.'],
  it: ['Ci sono troppe richieste', 'Attenda qualche minuto e riprovi.'],
  nl: ['Er zijn te veel verzoeken', 'Wacht een paar minuten en probeer het opnieuw.'],
  pt: ['Há solicitações demais', 'Aguarde alguns minutos e tente novamente.'],
  pl: ['Jest zbyt wiele zapytań', 'Proszę poczekać kilka minut i spróbować ponownie.'],
  ar: ['هناك طلبات كثيرة جدًا', 'يرجى الانتظار بضع دقائق ثم المحاولة من جديد.'],
}

const unavailable: Words = {
  en: ['This page is not available at the moment', 'Try again in a minute.'],
  de: ['Diese Seite ist im Moment nicht erreichbar', 'Versuchen Sie es in einer Minute noch einmal.'],
  fr: ['Cette page n’est pas disponible pour le moment', 'Réessayez dans une minute.'],
  es: ['Esta página no está disponible en este momento', 'Inténtelo de nuevo dentro de un minuto.'],
  it: ['Questa pagina non è disponibile in questo momento', 'Riprovi tra un minuto.'],
  nl: ['Deze pagina is op dit moment niet beschikbaar', 'Probeer het over een minuut opnieuw.'],
  pt: ['Esta página não está disponível no momento', 'Tente novamente em um minuto.'],
  pl: ['Ta strona jest w tej chwili niedostępna', 'Proszę spróbować ponownie za minutę.'],
  ar: ['هذه الصفحة غير متاحة في الوقت الحالي', 'يرجى المحاولة من جديد بعد دقيقة.'],
}

const failed: Words = {
  en: [
    'Something went wrong on our side',
    'Try again in a minute. If it happens again, give the reference to the person who sent you the link.',
  ],
  de: [
    'Bei uns ist etwas schiefgegangen',
    'Versuchen Sie es in einer Minute noch einmal. Hilft das nicht, nennen Sie der Person, die Ihnen den Link geschickt hat, die Kennung.',
  ],
  fr: [
    'Un problème est survenu de notre côté',
    'Réessayez dans une minute. Si cela se reproduit, donnez la référence à la personne qui vous a envoyé le lien.',
  ],
  es: [
    'Algo ha fallado por nuestra parte',
    'Inténtelo de nuevo dentro de un minuto. Si vuelve a ocurrir, dé la referencia a quien le envió el enlace.',
  ],
  it: [
    'Qualcosa non ha funzionato da parte nostra',
    'Riprovi tra un minuto. Se succede di nuovo, comunichi il riferimento a chi le ha mandato il link.',
  ],
  nl: [
    'Er ging bij ons iets mis',
    'Probeer het over een minuut opnieuw. Gebeurt het weer, geef dan het kenmerk door aan degene die u de link stuurde.',
  ],
  pt: [
    'Algo deu errado do nosso lado',
    'Tente novamente em um minuto. Se acontecer outra vez, informe a referência a quem enviou o link.',
  ],
  pl: [
    'Coś poszło nie tak po naszej stronie',
    'Proszę spróbować ponownie za minutę. Jeśli to się powtórzy, proszę podać identyfikator osobie, która przysłała link.',
  ],
  ar: [
    'حدث خطأ من جهتنا',
    'يرجى المحاولة من جديد بعد دقيقة. إذا تكرر ذلك، فيرجى إعطاء الرقم المرجعي لمن أرسل إليك الرابط.',
  ],
}

/** The problem, and advice for the person. */
export function errorWords(status: number, language: string): { title: string; advice: string } {
  const words = wordsFor(status)
  const [title, advice] = (words[language] ?? words['en']) as Words[string]
  return { title, advice }
}

function wordsFor(status: number): Words {
  switch (status) {
    case 404:
    case 410:
      return missing
    case 405:
      return wrongMethod
    case 413:
      return tooLarge
    case 429:
      return tooMany
    case 503:
      return unavailable
  }
  return status >= 500 ? failed : unreadable
}
