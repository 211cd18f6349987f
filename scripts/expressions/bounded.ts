/** Expressions that cannot be judged or may grow, and why none of them takes long. */
export const BOUNDED: Array<{ path: string; text: string; reason: string }> = [
  {
    path: 'src/platform/text/names.ts',
    text: 'new RegExp',
    reason: 'made of constants, and repeats nothing',
  },
  {
    path: 'src/features/exports/exports/formats/csv.ts',
    text: 'new RegExp',
    reason: 'one class of characters',
  },
  {
    path: 'src/features/trust/addresses/contacts-in-text.ts',
    text: "/[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u",
    reason: 'meets the 80 characters before a sign',
  },
  {
    path: 'src/features/trust/addresses/contacts-in-text.ts',
    text: "/(?:[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_`{|}~-]+ \\. ?){0,4}[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u",
    reason: 'meets the 80 characters before a sign',
  },
  {
    path: 'src/features/trust/addresses/masked.ts',
    text: 'new RegExp',
    reason: 'made of constants; begins at a digit, and gives up after sixty characters without six digits',
  },
  {
    path: 'src/features/trust/addresses/contacts-in-text.ts',
    text: 'new RegExp',
    reason: 'made of constants; each digit begins a match, and nothing after it can fail',
  },
  {
    path: 'src/platform/text/formula-guard.ts',
    text: 'new RegExp',
    reason: 'made of constants; a run of quotes follows one sign alone',
  },
  {
    path: 'src/features/trust/addresses/contacts-in-text.ts',
    text: '/^\\.+|\\.+$/g',
    reason: 'meets the 80 characters before a sign',
  },
  {
    path: 'src/features/trust/addresses/contacts-in-text.ts',
    text: '/[.-]+$/',
    reason: 'meets the 280 characters after a sign',
  },
  {
    path: 'src/platform/filter/moments.ts',
    text: 'new RegExp',
    reason: 'the pattern of a date, which repeats nothing without end',
  },
  {
    path: 'src/survey-engine/language/local-numbers.ts',
    text: 'new RegExp',
    reason: 'made of constants; after each digit, one character decides what follows',
  },
  {
    path: 'src/survey-engine/language/reply-numbers.ts',
    text: 'new RegExp',
    reason: 'made of constants, and meets 400 characters',
  },
  {
    path: 'src/survey-engine/types/families/options-in-replies.ts',
    text: 'new RegExp',
    reason: 'made of constants; each match begins with a sign of its own',
  },
]
