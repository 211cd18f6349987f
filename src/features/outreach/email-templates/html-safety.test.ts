import { expect, test } from 'vitest'
import { activeContent, disarmLinks, linksTo } from './html-safety.ts'
import { textFromHtml } from './text-from-html.ts'

test.each([
  ['a handler after a value with an angle bracket', '<a title=">" onclick=alert(1)>x</a>', 'Event handlers'],
  ['a handler in a comment, which Outlook reads', '<!--[if mso]><img onerror=alert(1)><![endif]-->', 'Event handlers'],
  ['an address after a value with a tag', '<a title="<b>" href="data:text/html,x">x</a>', 'A link must begin'],
  ['an address in a comment', '<!--[if mso]><a href="data:text/html,x">x</a><![endif]-->', 'A link must begin'],
  ['an address in a title', '<title><a href="data:text/html,x"></title>', 'A link must begin'],
  ['an address with many noughts', '<a href="ja&#0000000118;ascript:x">x</a>', 'A link must begin'],
  ['a forward of a tag that does not end', '<meta content="0" http-equiv="refresh"', 'forward'],
  ['a script in entities, outside a link', '<p style="background:url(java&#115;cript:x)">', 'Scripts'],
])('%s is refused', (_name, html, message) => {
  expect(activeContent(html)).toContain(message)
})

test.each([
  ['after a value with an angle bracket', '<a title=">" href="javascript:x">', '<a title=">" href="#">'],
  [
    'in a conditional comment',
    '<!--[if mso]><a href="javascript:x"><![endif]-->',
    '<!--[if mso]><a href="#"><![endif]-->',
  ],
  ['whose quote does not end', '<p>a</p><a href="javascript:x&', '<p>a</p><a href="#'],
  ['in entities', `<a href='&#x6a;avascript&colon;x' id=y>`, `<a href='#' id=y>`],
  [
    'after one that stays',
    '<a href="https://a.test/?a=1&copy=2"><img src=file:x>',
    '<a href="https://a.test/?a=1&copy=2"><img src=#>',
  ],
])('a link that would run is disarmed %s, and nothing else changes', (_name, html, wanted) => {
  expect(disarmLinks(html)).toBe(wanted)
})

test.each([
  '<p>Write href="javascript:x" and 1 < 2 &amp; &copy; &unknown;</p>',
  '<A HREF = https://a.test/ >x</a\n><IMG SRC="data:image/png;base64,\nAAAA"/>',
  '<p>\0\r\n\uD800 {{ x }}<!-- y --><a href="#top">',
])('a mail without such a link stays as it is: %j', (html) => {
  expect(disarmLinks(html)).toBe(html)
})

test.each([
  ['<a href="https://a.test/?a=1&amp;b=2">', true],
  ["<A HREF = 'https://a.test/?a=1&#38;b=2'>", true],
  ['<!-- <a href="https://a.test/?a=1&amp;b=2"> -->', false],
  ['href="https://a.test/?a=1&amp;b=2"', false],
  ['<p title=\'<a href="https://a.test/?a=1&amp;b=2">\'>', false],
])('%s holds a link that a reader can click: %s', (html, wanted) => {
  expect(linksTo(html, 'https://a.test/?a=1&b=2')).toBe(wanted)
})

test.each([
  ['<p title="a > b">x</p>', 'x'],
  ['<!--[if !mso]><!--><p>new</p><!--<![endif]--><!--[if mso]><p>old</p><![endif]-->', 'new'],
  ['<head><title>T</title><xml>96</xml></head>&eacute;&zwnj; <head><b>unclosed', 'é\u200C unclosed'],
])('the words of %s are %j', (html, wanted) => {
  expect(textFromHtml(html)).toBe(wanted)
})
