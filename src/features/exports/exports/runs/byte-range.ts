/** Bytes from `from` up to and without `until`. */
export interface ByteRange {
  from: number
  until: number
}

/**
 * The one range that a `Range` header asks for. Null: the whole, as for several ranges or what is none.
 * `unsatisfiable`: it begins past the end.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { from: size - length, until: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return null
  if (from >= size) return 'unsatisfiable'
  return { from, until: last === '' ? size : Math.min(Number(last) + 1, size) }
}
