const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

// Longer ones come from strangers alone, and may take long.
const LONGEST_TAG = 35

/** The writing direction of a language, from the script in its tag or the usual one: `ar`, `fa`, `az-Arab`. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(language.slice(0, LONGEST_TAG)).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
