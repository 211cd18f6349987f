// Making a formatter takes 20 to 200 µs, and using one 1 µs. A page of figures uses thousands.
const MOST = 500
const made = new Map<string, object>()

/** The formatter of numbers of a language with these options. @throws RangeError for what is no tag of a language. */
export function numberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return kept('number', language, options, () => new Intl.NumberFormat(language, options))
}

/** The same of dates. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept('date', language, options, () => new Intl.DateTimeFormat(language, options))
}

/** The same of lists. */
export function listFormat(language: string, options: Intl.ListFormatOptions): Intl.ListFormat {
  return kept('list', language, options, () => new Intl.ListFormat(language, options))
}

/** The same of the forms of a plural. */
export function pluralRules(language: string): Intl.PluralRules {
  return kept('plural', language, {}, () => new Intl.PluralRules(language))
}

/** The same of names, such as those of languages. */
export function displayNames(language: string, options: Intl.DisplayNamesOptions): Intl.DisplayNames {
  return kept('names', language, options, () => new Intl.DisplayNames(language, options))
}

/** The segmenter that finds the words of a text in any language. */
export function wordSegmenter(): Intl.Segmenter {
  return kept('words', '', {}, () => new Intl.Segmenter(undefined, { granularity: 'word' }))
}

// Workspaces choose their languages and zones, so the formatters that were unused longest go.
function kept<Format extends object>(kind: string, language: string, options: object, make: () => Format): Format {
  const key = `${kind} ${language} ${JSON.stringify(options)}`
  const format = (made.get(key) as Format | undefined) ?? make()
  made.delete(key)
  made.set(key, format)
  for (const [oldest] of made) {
    if (made.size <= MOST) break
    made.delete(oldest)
  }
  return format
}
