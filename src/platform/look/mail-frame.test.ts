import { expect, test } from 'vitest'
import { framedText, mailFrame } from './mail-frame.ts'

// Gmail cuts a mail after this many bytes.
const CLIPPED_AT = 102 * 1024
const OURS = { baseUrl: 'https://x.example' }

test('a text becomes paragraphs, and an address on its own line a button', () => {
  const html = framedText('Somebody asked.\nFor you.\n\nhttps://x.example/a?b=1&c=2\n\nSee https://x.example/d.', {
    ...OURS,
    title: 'Set it',
    label: 'Set a password',
  })
  expect(html).toContain('Somebody asked.<br>For you.')
  expect(html).toMatch(/<a href="https:\/\/x\.example\/a\?b=1&#38;c=2" class="accent"[^>]*>Set a password<\/a>/)
  expect(html).toMatch(/<a href="https:\/\/x\.example\/d" style="[^"]*">https:\/\/x\.example\/d<\/a>\./)
})

test.each([
  'https://evil.example/',
  'See https://evil.example/login.',
  'https://x.example.evil.example/',
  'https://x.example@evil.example/',
  'http://x.example/',
  'https://x.example:444/',
])('an address that is not ours is no link: %s', (text) => {
  const html = framedText(`Somebody wrote:\n\n${text}`, { ...OURS, title: text })
  expect(html).toContain(text)
  expect(html).not.toContain('<a ')
})

test('no text of a mail becomes markup', () => {
  const html = framedText('<img src=x onerror=alert(1)>\n\nhttps://x.example/"onmouseover="alert(1)', {
    ...OURS,
    title: '</title><script>',
    label: '<b>',
  })
  expect(html).not.toMatch(/<img|<script|<b>|"onmouseover/)
})

test('the frame is what mail programs understand: tables and inline styles, from the right where it is read so', () => {
  const html = framedText('مرحبا', { ...OURS, title: 'مرحبا', language: 'ar' })
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html.match(/<style>/g)).toHaveLength(1)
  expect(html).toContain('@media (prefers-color-scheme:dark)')
  expect(html).not.toMatch(/<(div|section|script|link|button)|display:(flex|grid)|position:/)
  for (const tag of html.match(/<(p|a|td)\b[^>]*>/g) ?? []) expect(tag).toContain('style="')
  expect(Buffer.byteLength(framedText('x '.repeat(20_000), { ...OURS, title: 'Long' }))).toBeLessThan(CLIPPED_AT)
  expect(mailFrame({ language: 'en', title: 'T', header: 'H', body: '', footer: 'F' })).toContain('>F</td>')
})
