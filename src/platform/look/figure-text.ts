export type FigureUnit = 'count' | 'score' | 'percent' | 'milliseconds' | 'minutes'

/** The formats of a reader's language. */
type Numbers = (options: Intl.NumberFormatOptions) => Pick<Intl.NumberFormat, 'format'>

const MINUTE_MS = 60_000
/** A score nearer to zero has a digit behind the point. */
const FEW_POINTS = 10

/** A figure as every screen, page, mail and document writes it. */
export function figureText(value: number, unit: FigureUnit, numbers: Numbers): string {
  if (unit === 'milliseconds') return durationText(value, numbers)
  if (unit === 'minutes') return durationText(value * MINUTE_MS, numbers)
  // A figure that rounds to zero has no minus.
  const signDisplay = 'negative'
  if (unit === 'percent')
    return numbers({ style: 'percent', maximumFractionDigits: 1, signDisplay }).format(rounded(value) / 100)
  const maximumFractionDigits = unit === 'score' && Math.abs(value) < FEW_POINTS ? 1 : 0
  return numbers({ maximumFractionDigits, signDisplay }).format(value)
}

// Per cent first: a share of 0.29 times 100 is 28.999….
function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

export function durationText(
  ms: number,
  numbers: Numbers,
  unitDisplay: Intl.NumberFormatOptions['unitDisplay'] = 'short',
): string {
  const seconds = Math.round(ms / 1000)
  const parts: Array<[number, string]> =
    seconds < 60
      ? [[seconds, 'second']]
      : seconds < 3600
        ? [
            [Math.floor(seconds / 60), 'minute'],
            [seconds % 60, 'second'],
          ]
        : [
            [Math.floor(seconds / 3600), 'hour'],
            [Math.floor((seconds % 3600) / 60), 'minute'],
          ]
  return parts
    .filter(([value], index) => index === 0 || value > 0)
    .map(([value, unit]) => numbers({ style: 'unit', unit, unitDisplay }).format(value))
    .join(' ')
}
