const text = (en: string, de: string, ar: string) => ({ en, de, ar })
const line = (id: string, en: string, de: string, ar: string) => ({ id, label: text(en, de, ar) })

const REASONS = [
  line('price', 'The price', 'Der Preis', 'السعر'),
  line('service', 'The service', 'Der Service', 'الخدمة'),
  line('quality', 'The quality', 'Die Qualität', 'الجودة'),
  line('delivery', 'The delivery', 'Die Lieferung', 'التوصيل'),
]

/** The survey of the pictures. */
export const SHOWN = {
  metric: 'nps',
  default_language: 'en',
  questions: [
    {
      id: 'score',
      type: 'nps',
      required: true,
      title: text(
        'How likely are you to recommend Acme to a friend?',
        'Wie wahrscheinlich empfehlen Sie Acme weiter?',
        'ما مدى احتمال أن توصي صديقًا بنا؟',
      ),
      low_label: text('Not at all likely', 'Sehr unwahrscheinlich', 'غير محتمل أبدًا'),
      high_label: text('Extremely likely', 'Sehr wahrscheinlich', 'محتمل جدًا'),
    },
    {
      id: 'why',
      type: 'single',
      title: text('What matters most to you?', 'Was ist Ihnen am wichtigsten?', 'ما الأهم بالنسبة إليك؟'),
      choices: REASONS,
      allow_other: true,
    },
    {
      id: 'order',
      type: 'ranking',
      title: text('Put these in your order', 'Was ist wichtiger?', 'رتّب هذه الأمور'),
      choices: REASONS,
    },
    {
      id: 'parts',
      type: 'matrix',
      title: text('How did we do?', 'Wie waren wir?', 'كيف كان أداؤنا؟'),
      rows: REASONS.slice(1),
      columns: [
        line('good', 'Good', 'Gut', 'جيد'),
        line('fair', 'Fair', 'Mittel', 'مقبول'),
        line('poor', 'Poor', 'Schlecht', 'ضعيف'),
      ],
    },
    {
      id: 'words',
      type: 'open_text',
      title: text(
        'You gave {{answer.score}}. Why?',
        'Sie gaben {{answer.score}}. Warum?',
        'منحتنا {{answer.score}}. لماذا؟',
      ),
    },
    {
      id: 'person',
      type: 'contact',
      title: text('May we write back to you?', 'Dürfen wir Ihnen antworten?', 'هل يمكننا الرد عليك؟'),
      fields: ['name', 'email', 'phone'],
    },
  ],
  endings: [
    {
      id: 'end',
      title: text('Thank you!', 'Danke!', 'شكرًا لك!'),
      message: text('A person reads every answer.', 'Ein Mensch liest jede Antwort.', 'يقرأ إنسان كل إجابة.'),
    },
  ],
}

/** The looks of the pictures, by layout. */
export const THEMES = {
  plain: { color: '#d9480f', font: 'inter' },
  card: { color: '#d9480f', font: 'nunito', corners: 'round' },
  split: { color: '#0b6275', font: 'literata' },
}

export const COVER =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 900"><rect width="1200" height="900" fill="#f7c59f"/>' +
  '<circle cx="860" cy="260" r="150" fill="#ef6f4c"/><path d="M0 620Q300 430 620 600T1200 520V900H0Z" fill="#1a659e"/>' +
  '<path d="M0 730Q360 560 700 720T1200 660V900H0Z" fill="#004e89"/>' +
  '<path d="M0 820Q300 720 640 810T1200 780V900H0Z" fill="#02314f"/></svg>'
