import { expect, test } from 'vitest'
import { snippetOf } from './state.ts'

test('a survey in a page has an element of its own, every other mode stands on the script', () => {
  expect(snippetOf('https://earshot.example', 'srv_1', 'inline')).toBe(
    '<div data-voc-survey="srv_1"></div>\n<script async src="https://earshot.example/public/embed.js"></script>',
  )
  expect(snippetOf('https://earshot.example', 'srv_1', 'popup')).toContain(
    'data-voc-survey="srv_1" data-voc-mode="popup"></script>',
  )
})
