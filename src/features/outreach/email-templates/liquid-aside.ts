const MARK = /\uE000(\d+)\uE001/g

/** Replaces Liquid by marks while the HTML is read, because it may hold quotes and angle brackets of its own. */
export function putLiquidAside(source: string): { html: string; putBack(text: string): string } {
  const clean = source.replace(/[\uE000\uE001]/g, '')
  const aside: string[] = []
  const opening = /\{[{%]/g
  let html = ''
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const found = opening.exec(clean)
    const from = found?.index ?? -1
    // Searched, because a pattern would look for a missing end again from each beginning.
    const to = found ? clean.indexOf(found[0] === '{{' ? '}}' : '%}', from + 2) : -1
    if (to === -1) break
    html += `${clean.slice(at, from)}\uE000${aside.push(clean.slice(from, to + 2)) - 1}\uE001`
    at = to + 2
  }
  return {
    html: html + clean.slice(at),
    putBack: (text) => text.replace(MARK, (_, n: string) => aside[Number(n)] ?? ''),
  }
}
