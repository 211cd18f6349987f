import { encode } from 'uqr'

/** A QR code (ISO/IEC 18004) as SVG: one path, black on white, with the margin of four modules that scanners need. */
export function qrCodeSvg(text: string, title: string): string {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .map((row, y) =>
      runsOf(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('')
  const escaped = title.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" shape-rendering="crispEdges" role="img"><title>${escaped}</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}

function runsOf(row: boolean[]): Array<[number, number]> {
  const runs: Array<[number, number]> = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (!dark) return
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  })
  return runs
}
