import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import type { Picture } from './picture.ts'
import { redraw } from './assets.service.ts'
import { drawGif, drawPicture, pngOf, withExif, withPngText } from './pictures.fixture.ts'

const SECRET = 'taken in Ada’s garden'
const png = drawPicture('png')
const jpeg = drawPicture('jpeg')
const webp = drawPicture('webp')

async function tried(file: Buffer | string, contentType = 'image/png'): Promise<Picture | string> {
  const result = await redraw('ours', { body: Buffer.from(file), contentType })
  return 'refused' in result ? result.refused : result.picture
}

async function drawn(file: Buffer | string): Promise<{ text: string } & Omit<Picture, 'bytes'>> {
  const picture = await tried(file)
  if (typeof picture === 'string') throw new Error(picture)
  const { bytes, ...rest } = picture
  return { ...rest, text: Buffer.from(bytes).toString('latin1') }
}

describe('a picture is drawn anew', () => {
  test.each([
    ['PNG', withPngText(png, SECRET), 'image/png', 8, 4],
    ['JPEG', withExif(jpeg, SECRET, 1), 'image/jpeg', 8, 4],
    ['JPEG that its camera held upright', withExif(jpeg, SECRET, 6), 'image/jpeg', 4, 8],
    ['WebP', webp, 'image/webp', 8, 4],
    ['GIF, as its first frame', drawGif(SECRET), 'image/png', 2, 1],
    ['PNG with a page behind it', Buffer.concat([png, Buffer.from(`<script>${SECRET}</script>`)]), 'image/png', 8, 4],
    ['JPEG with an archive behind it', Buffer.concat([jpeg, Buffer.from(`PK${SECRET}`)]), 'image/jpeg', 8, 4],
  ])('%s', async (_name, file, type, width, height) => {
    const picture = await drawn(file)
    expect(picture).toMatchObject({ type, width, height })
    expect(picture.text).not.toContain('garden')
    expect(picture.text).not.toMatch(/Exif|script|PK/)
  })

  test('its content decides about the type', async () => {
    expect(await tried(png, 'image/svg+xml')).toMatchObject({ type: 'image/png' })
  })
})

describe('a file is refused', () => {
  test.each<[string, Buffer | string, string]>([
    ['that is empty', '', 'no_file'],
    ['that is text', 'hello', 'unknown_type'],
    ['that is a page', '<!doctype html><html><body><script>1</script></body></html>', 'unknown_type'],
    ['that is a page around an SVG', '<html><svg viewBox="0 0 1 1"><path d=""/></svg></html>', 'invalid_picture'],
    ['of another type of picture', Buffer.from('424d460000000000000036000000', 'hex'), 'unknown_type'],
    ['that is a PNG cut off', png.subarray(0, png.length - 20), 'invalid_picture'],
    ['that is a JPEG cut off', jpeg.subarray(0, jpeg.length - 20), 'unknown_type'],
    ['that is a WebP cut off', webp.subarray(0, webp.length - 10), 'unknown_type'],
    ['that is a GIF cut off', drawGif('').subarray(0, 20), 'invalid_picture'],
    ['that is a header alone', png.subarray(0, 33), 'invalid_picture'],
    ['that is the first bytes of a header', png.subarray(0, 14), 'unknown_type'],
    ['with a line of 60,000 pixels', pngOf(1, 60_000), 'picture_too_large'],
    ['with more pixels than memory', pngOf(0xffffffff, 0xffffffff), 'picture_too_large'],
    ['that unpacks to 100 megapixels', pngOf(10_000, 10_000, Buffer.alloc(10_000)), 'picture_too_large'],
    ['of no size', pngOf(0, 10), 'invalid_picture'],
    ['with fewer pixels than it says', pngOf(3_000, 3_000, Buffer.alloc(3_000)), 'invalid_picture'],
    ['of more than 2 MiB', Buffer.alloc(2 * 1024 * 1024 + 1, 32), 'too_many_bytes'],
    ['that is an SVG with entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', 'invalid_picture'],
    ['that is an SVG cut off', '<svg viewBox="0 0 1 1"><path d="M0 0', 'invalid_picture'],
    ['that is an SVG in UTF-16', Buffer.from('\ufeff<svg viewBox="0 0 1 1"></svg>', 'utf16le'), 'unknown_type'],
    ['that is an SVG within itself', '<svg><g id="a"><use href="#a"/></g></svg>', 'invalid_picture'],
    ['that is an SVG of a billion parts', billionParts(), 'invalid_picture'],
    ['that is an SVG of deep groups', `<svg>${'<g>'.repeat(500_000)}</svg>`, 'invalid_picture'],
    ['that is an SVG of many styles', `<svg><style>${'.a{}'.repeat(300_000)}</style></svg>`, 'invalid_picture'],
  ])('%s', async (_name, file, refused) => {
    expect(await tried(file)).toBe(refused)
  })
})

describe('an SVG keeps what it shows, and nothing that runs, moves, loads or links', () => {
  test('styles become attributes, and a sheet wins over an attribute', async () => {
    const { text } = await drawn(
      `<svg viewBox="0 0 2 1"><defs><style type="text/css"><![CDATA[.a, .b {fill: #f00} /* .a{fill:blue} */ #c{opacity:.5}]]></style></defs>
        <path class="a" id="c" fill="green" d="M0 0h1" style="stroke: #00f; behavior: url(x)"/></svg>`,
    )
    expect(text).toContain('<path id="c" fill="#f00" d="M0 0h1" opacity=".5" stroke="#00f"/>')
    expect(text).not.toMatch(/style|class|behavior/)
  })

  test.each([
    ['its sides', '<svg width="10" height="20px"><path d=""/></svg>', 10, 20],
    ['its sides in centimetres', '<svg width="2.54cm" height="1in"><path d=""/></svg>', 96, 96],
    ['its view box', '<svg viewBox="0 0 30 15"><path d=""/></svg>', 30, 15],
    ['one side and its view box', '<svg width="60" viewBox="0 0 30 15"><path d=""/></svg>', 60, 30],
    ['nothing', '<svg width="100%"><path d=""/></svg>', 300, 150],
    ['more than a screen', '<svg viewBox="0 0 1000000 500000"><path d=""/></svg>', 10_000, 5_000],
  ])('its size comes from %s', async (_name, svg, width, height) => {
    expect(await drawn(svg)).toMatchObject({ type: 'image/svg+xml', width, height })
  })

  const OWN = '<linearGradient id="g"><stop offset="0"/></linearGradient><path id="p" fill="url(#g)" d="M0 0"/>'
  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<script href="https://evil.example/a.js"/>',
    '<path onclick="alert(1)" d=""/>',
    '<a href="javascript:alert(1)"><path d=""/></a>',
    '<a xlink:href="https://evil.example/"><path d=""/></a>',
    '<use href="https://evil.example/a.svg#a"/>',
    '<use xlink:href="data:image/svg+xml;base64,PHN2Zz4=#a"/>',
    '<use href="//evil.example/#a"/>',
    '<image href="https://evil.example/a.png"/>',
    '<feImage href="https://evil.example/a.png"/>',
    '<foreignObject><iframe src="https://evil.example/"/></foreignObject>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onload" to="alert(1)"/>',
    '<style>@import url(https://evil.example/a.css);</style>',
    '<style>@import "https://evil.example/a.css";</style>',
    '<style>path{fill:url(https://evil.example/a.svg#a)}</style>',
    '<style>path{background-image:url(https://evil.example/a.png)}</style>',
    '<path fill="url(https://evil.example/a.svg#a)" d=""/>',
    '<path fill="url(&quot;https://evil.example/#a&quot;)" d=""/>',
    '<path fill="u\\72l(https://evil.example/)" d=""/>',
    '<path fill="ur/**/l(https://evil.example/)" d=""/>',
    '<path mask="image(&quot;//evil.example/&quot;)" d=""/>',
    '<path style="fill:url(//evil.example/#a)" d=""/>',
    '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>',
    '<title>&#60;img src=x onerror=alert(1)&#62;</title>',
    '<desc><![CDATA[<script>alert(1)</script>]]></desc>',
    '<?xml-stylesheet href="https://evil.example/a.css"?>',
    '<!--<script>alert(1)</script>-->',
    '<path id="a&quot; onload=&quot;alert(1)" d=""/>',
    '<svg onload="alert(1)"><path d=""/></svg>',
    '<metadata><rdf:RDF xmlns:rdf="https://evil.example/"/></metadata>',
    '<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>',
  ])('%s', async (hostile) => {
    const { text } = await drawn(`<svg viewBox="0 0 1 1" onload="alert(1)">${OWN}${hostile}</svg>`)
    expect(text).toContain('fill="url(#g)"')
    const dangers: string[] = []
    new Parser(
      {
        onopentag(name, attributes) {
          if (/script|style|foreign|image|iframe|animate|set|handler|metadata|^a$/i.test(name)) dangers.push(name)
          for (const [key, value] of Object.entries(attributes))
            if (/^on|^style$|^xlink/i.test(key) || (key !== 'xmlns' && /evil|script|\\|\/\*/.test(value)))
              dangers.push(`${key}=${value}`)
        },
        onprocessinginstruction: (name) => dangers.push(name),
        oncomment: (words) => dangers.push(words),
      },
      { xmlMode: true },
    ).end(text)
    expect(dangers).toEqual([])
    expect(text).not.toContain('evil.example')
  })
})

function billionParts(): string {
  const levels = Array.from({ length: 12 }, (_, at) => `<g id="l${at}">${`<use href="#l${at + 1}"/>`.repeat(10)}</g>`)
  return `<svg>${levels.join('')}<path id="l12" d=""/></svg>`
}
