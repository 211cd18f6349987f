import { LRUCache } from 'lru-cache'
/** An accent colour and the colour of text on it, as `#rrggbb`. */
export interface Accent {
  color: string
  text: string
}

/** Contrast (WCAG 2.2, 1.4.3 and 1.4.11): text on an accent needs 4.5 : 1, the accent on its background 3 : 1. */
export const TEXT_CONTRAST = 4.5
export const SHAPE_CONTRAST = 3

/** Text on a background of its own has more, so that softer text and lines stay readable too. */
const GROUND_CONTRAST = 9

/** White, and the dark background of our pages and mails. */
export const TEXT_COLORS = ['#ffffff', '#121211'] as const

/**
 * Adapts a brand colour to a background. Hue and saturation stay. The lightness changes just enough to see the accent
 * and to read white or near-black text on it. Both colours are `#rrggbb`.
 */
export function accentOn(color: string, background: string): Accent {
  const key = color + background
  const found = known.get(key) ?? search(color, background)
  // Every mail of a campaign asks for the same two.
  known.set(key, found)
  return found
}

/** Whether dark or light text can be read well on a background. */
export function isGround(background: string): boolean {
  return Math.max(...TEXT_COLORS.map((text) => contrast(text, background))) >= GROUND_CONTRAST
}

export function isDark(background: string): boolean {
  return contrast('#ffffff', background) > contrast('#121211', background)
}

/** A colour for text or lines on a background: as it is, or just light or dark enough. */
export function seenOn(color: string, background: string, least: number): string {
  const [hue, saturation, lightness] = toHsl(channelsOf(color))
  const away = isDark(background) ? 1 : -1
  for (let step = Math.round(lightness * STEPS); step >= 0 && step <= STEPS; step += away) {
    const candidate = toHex(hue, saturation, step / STEPS)
    if (contrast(candidate, background) >= least) return candidate
  }
  return isDark(background) ? '#ffffff' : '#000000'
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one: string, two: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const known = new LRUCache<string, Accent>({ max: 2_000 })

function search(color: string, background: string): Accent {
  const [hue, saturation, lightness] = toHsl(channelsOf(color))
  const start = Math.round(lightness * STEPS)
  for (let distance = 0; distance <= STEPS; distance++) {
    for (const step of distance === 0 ? [start] : [start - distance, start + distance]) {
      if (step < 0 || step > STEPS) continue
      const candidate = distance === 0 ? color.toLowerCase() : toHex(hue, saturation, step / STEPS)
      const [first, second] = TEXT_COLORS
      const text = contrast(candidate, first) >= contrast(candidate, second) ? first : second
      if (contrast(candidate, text) >= TEXT_CONTRAST && contrast(candidate, background) >= SHAPE_CONTRAST)
        return { color: candidate, text }
    }
  }
  // On a background that is almost black or white, the other one always passes.
  return contrast('#000000', background) >= SHAPE_CONTRAST
    ? { color: '#000000', text: '#ffffff' }
    : { color: '#ffffff', text: '#121211' }
}

const STEPS = 256

type Channels = [number, number, number]

/** Red, green and blue, each 0 to 1. */
function channelsOf(color: string): Channels {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255
  return [channel(1), channel(3), channel(5)]
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Hue 0 to 360, saturation and lightness 0 to 1. */
function toHsl([red, green, blue]: Channels): Channels {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const lightness = (most + least) / 2
  const range = most - least
  if (range === 0) return [0, 0, lightness]
  const sector =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  return [sector * 60, range / (1 - Math.abs(2 * lightness - 1)), lightness]
}

function toHex(hue: number, saturation: number, lightness: number): string {
  const channel = (at: number) => {
    const k = (at + hue / 30) % 12
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}
