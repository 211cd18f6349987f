import { expect, test } from 'vitest'
import { framedText, mailFrame } from './mail-frame.ts'

// Gmail cuts a mail after this many bytes.
const CLIPPED_AT = 102 * 1024

test('a text becomes paragraphs, and an address on its own line a button', () => {
  const html = framedText('Somebody asked.\nFor you.\n\nhttps://x.example/a?b=1&c=2\n\nSee https://x.example/d.', {
    title: 'Set it',
    label: 'Set a password',
  })
  expect(html).toContain('Somebody asked.<br>For you.')
  expect(html).toMatch(/<a href="https:\/\/x\.example\/a\?b=1&#38;c=2" class="accent"[^>]*>Set a password<\/a>/)
  expect(html).toMatch(/<a href="https:\/\/x\.example\/d" style="[^"]*">https:\/\/x\.example\/d<\/a>\./)
})

test('no text of a mail becomes markup', () => {
  const html = framedText('<img src=x onerror=alert(1)>\n\nhttps://x.example/"onmouseover="alert(1)', {
    title: '</title><script>',
    label: '<b>',
  })
  expect(html).not.toMatch(/<img|<script|<b>|"onmouseover/)
})

test('the frame is what mail programs understand: tables and inline styles, from the right where it is read so', () => {
  const html = framedText('مرحبا', { title: 'مرحبا', language: 'ar' })
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html.match(/<style>/g)).toHaveLength(1)
  expect(html).toContain('@media (prefers-color-scheme:dark)')
  expect(html).not.toMatch(/<(div|section|script|link|button)|display:(flex|grid)|position:/)
  for (const tag of html.match(/<(p|a|td)\b[^>]*>/g) ?? []) expect(tag).toContain('style="')
  expect(Buffer.byteLength(framedText('x '.repeat(20_000), { title: 'Long' }))).toBeLessThan(CLIPPED_AT)
  expect(mailFrame({ language: 'en', title: 'T', header: 'H', body: '', footer: 'F' })).toContain('>F</td>')
})
