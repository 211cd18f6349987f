import { expect, test } from 'vitest'
import { withEmbed } from './with-embed.ts'

const embed = { src: 'https://voc.example/public/embed.js', surveyId: 'srv_1' }
const SCRIPT = '<script async src="https://voc.example/public/embed.js" data-voc-survey="srv_1"></script>'
const BASE = '<base href="https://shop.example/a/b">'
const put = (html: string, url = 'https://shop.example/a/b') => withEmbed({ url, html }, embed)

test.each([
  ['<!doctype html><html><head lang="en"><title>a</title>', '<!doctype html><html><head lang="en">|<title>a</title>'],
  ['<!DOCTYPE html><HTML><body>x', '<!DOCTYPE html><HTML>|<body>x'],
  ['<!doctype html><p>x', '<!doctype html>|<p>x'],
  ['plain text', '|plain text'],
  ['', '|'],
  ['<!-- <head> --><html><head data-a="<head>"><i>', '<!-- <head> --><html><head data-a="<head>">|<i>'],
  ['<title><head></title><p><head>', '|<title><head></title><p><head>'],
  [`${'<head>'.repeat(170)}<base href="/c/">`, `${'<head>'.repeat(101)}|${'<head>'.repeat(69)}<base href="/c/">`],
])('%s', async (page, expected) => {
  expect(await put(page)).toBe(expected.replace('|', BASE + SCRIPT))
})

test("the page's own base stays in force, and addresses are escaped", async () => {
  expect(await put('<head><base href="/c/">')).toContain('<base href="https://shop.example/c/"><script')
  expect(await put('<head><base href="javascript:1">')).toContain(`${BASE}<script`)
  expect(await put('<body><base href="/c/">')).toContain(BASE)
  expect(await put('<head>', 'https://shop.example/?a=1&b=%22')).toContain('href="https://shop.example/?a=1&amp;b=%22"')
})
