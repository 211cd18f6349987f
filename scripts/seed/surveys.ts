const words = (en: string, de: string, es: string) => ({ en, de, es })
const COMMENT = {
  id: 'why',
  type: 'open_text',
  title: words('Tell us more', 'Erzählen Sie mehr', 'Cuéntenos más'),
  format: 'text',
}
const COMMON = { default_language: 'en', languages: ['en', 'de', 'es'] }

/** The three programmes. The names of their questions are those of the answers in `history.ts`. */
export const SURVEYS = {
  purchase: {
    ...COMMON,
    name: 'After your purchase',
    metric: 'nps',
    questions: [
      {
        id: 'score',
        type: 'nps',
        title: words(
          'How likely are you to recommend us?',
          'Wie wahrscheinlich empfehlen Sie uns weiter?',
          '¿Nos recomendaría?',
        ),
        required: true,
      },
      {
        id: 'reason',
        type: 'single',
        title: words('What mattered most?', 'Was war am wichtigsten?', '¿Qué fue lo más importante?'),
        choices: [
          { id: 'price', label: words('Price', 'Preis', 'Precio') },
          { id: 'quality', label: words('Quality', 'Qualität', 'Calidad') },
          { id: 'delivery', label: words('Delivery', 'Lieferung', 'Entrega') },
        ],
      },
      COMMENT,
      {
        id: 'contact',
        type: 'contact',
        title: words('May we call you?', 'Dürfen wir anrufen?', '¿Podemos llamarle?'),
        fields: ['name', 'email'],
      },
      {
        id: 'agree',
        type: 'consent',
        title: words('You may contact me about offers.', 'Sie dürfen mir Angebote senden.', 'Pueden enviarme ofertas.'),
      },
    ],
    custom_fields: ['plan', 'country', 'order_value'],
    lead_capture: { contact: 'contact', consent: 'agree', when: { question: 'score', op: 'gte', value: 9 } },
  },
  support: {
    ...COMMON,
    name: 'Support',
    metric: 'csat',
    questions: [
      {
        id: 'score',
        type: 'csat',
        title: words('How satisfied are you?', 'Wie zufrieden sind Sie?', '¿Qué tan satisfecho está?'),
        required: true,
      },
      COMMENT,
    ],
    custom_fields: ['agent_id', 'plan', 'ticket'],
  },
  onboarding: {
    ...COMMON,
    name: 'Onboarding',
    metric: 'ces',
    questions: [
      {
        id: 'score',
        type: 'ces',
        title: words('The setup was easy.', 'Die Einrichtung war leicht.', 'La configuración fue fácil.'),
        required: true,
      },
      COMMENT,
    ],
    custom_fields: ['plan'],
  },
}
