import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey, submit } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen } from '../../../testing/whole-console.ts'
import { startWebsite, surveyFrame } from '../../../testing/website.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
beforeAll(async () => {
  visits = await startConsole()
  surveyId = await makeLiveSurvey(visits.server, visits.workspace)
  await submit(visits.server, surveyId, { answers: { q1: 9 } })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const shareOf = (id: string) => `/app/surveys/${id}/share`

describe('the sharing of a survey', () => {
  test('a link becomes short, has a QR code to keep, and the survey shows as on a website', async () => {
    const page = await visits.open(shareOf(surveyId))
    await page.getByText('Anyone with this link can answer.').waitFor()
    await page.getByText(`/public/s/${surveyId}`).waitFor()
    await page.getByRole('button', { name: 'Make a short link' }).click()
    await page.getByRole('img', { name: /^QR code of/ }).waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PNG' }).click()
    const png = await readFile(await (await saving).path())
    expect([...png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')])
    await page.getByRole('button', { name: 'Popup' }).click()
    expect(new URL(page.url()).searchParams.get('mode')).toBe('popup')
    await page.getByText(`data-voc-survey="${surveyId}" data-voc-mode="popup"`).waitFor()
    await page.locator('iframe[title="On a website: Popup"]').waitFor()
    await expect.poll(() => surveyFrame(page)?.url()).toContain(surveyId)
    await surveyFrame(page)?.waitForSelector('form')
    await page.goBack()
    await page.getByText('data-voc-mode="slide_in"').waitFor()
    // The frame of the console is no website.
    expect(await visits.call('GET', `/v1/surveys/${surveyId}/embeds`)).toEqual({ data: [] })
    await page.getByText('Not seen on any website yet.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a website that shows it is named', async () => {
    const website = await startWebsite(visits.base)
    const shop = await visits.open('/health', { token: null })
    await shop.goto(
      website.page(
        `<script src="${visits.base}/public/embed.js" data-voc-survey="${surveyId}" data-voc-mode="full"></script>`,
      ),
    )
    await expect.poll(() => surveyFrame(shop)?.url()).toContain(surveyId)
    await shop.context().close()
    const page = await visits.open(shareOf(surveyId))
    await page.getByText(`Seen on ${new URL(website.page('')).host}`).waitFor()
    await page.context().close()
    website.server.close()
  })

  test('mail leads to an invitation with the survey, and a preview link is made', async () => {
    const page = await visits.open(shareOf(surveyId))
    await page.getByRole('button', { name: 'Make a preview link' }).click()
    await page.getByText(`/public/s/${surveyId}?token=`).waitFor()
    await page.getByText('Works until').waitFor()
    await page.getByRole('link', { name: 'Send by SMS' }).click()
    await onScreen(page, 'New invitation')
    await expect.poll(() => page.getByLabel('Survey').inputValue()).toBe(surveyId)
    await expect.poll(() => page.getByRole('button', { name: 'SMS' }).getAttribute('aria-pressed')).toBe('true')
    await page.context().close()
  })

  test('single-use links are made and kept as a file', async () => {
    const own = await visits.call<{ id: string }>('POST', '/v1/surveys', {
      name: 'By letter',
      dedupe: 'single_use',
      questions: [{ id: 'q1', type: 'nps', title: 'How likely?' }],
    })
    const page = await visits.open(shareOf(own.id))
    await page.getByText('Publish it first. Nobody can open a draft.').waitFor()
    await expect.poll(() => page.getByText('embed.js').count()).toBe(0)
    await visits.call('POST', `/v1/surveys/${own.id}/publish`)
    await page.reload()
    await page.getByText('Only a personal link can answer.').waitFor()
    await page.getByRole('button', { name: 'Make links' }).click()
    await page.getByLabel('How many').fill('3')
    await page.getByRole('dialog').getByRole('button', { name: 'Make links' }).click()
    await page.getByText('3 links are made.').waitFor()
    await page.keyboard.press('Escape')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(`/public/s/${own.id}?token=`)
    expect(new Set(lines).size).toBe(4)
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })
})

describe('short links in the console', () => {
  test('one is made, counted, changed, turned off and deleted', async () => {
    const page = await visits.open('/app/short-links')
    await page.getByRole('button', { name: 'New short link' }).first().click()
    await page.getByLabel('Address').fill('not an address')
    await page.getByLabel('Short name').fill('autumn')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('Use an absolute http(s) URL').waitFor()
    await page.getByLabel('Address').fill('https://example.com/autumn')
    await page.getByRole('button', { name: 'Make it' }).click()
    await onScreen(page, '/r/autumn')
    await page.getByText('0 clicks in 30 days.').waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('/r/autumn is off.').waitFor()
    await page.locator('.status', { hasText: 'Off' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.status', { hasText: 'Works' }).waitFor()
    await page.getByLabel('Most clicks').fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [link] = (await visits.call<{ data: Array<{ max_clicks: number }> }>('GET', '/v1/short-urls')).data
    expect(link?.max_clicks).toBe(5)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('/r/autumn is deleted.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/short-links')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a viewer sees links and no act', async () => {
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open(shareOf(surveyId), { token })
    await page.getByRole('img', { name: /^QR code of/ }).waitFor()
    for (const name of ['Send by mail', 'Make a preview link', 'Make links'])
      expect(await page.getByText(name).count(), name).toBe(0)
    await page.goto(`${visits.base}/app/short-links`)
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New short link' }).count()).toBe(0)
    await page.context().close()
  })

  test('the screens have nothing that axe finds, in any look', async () => {
    const { data } = await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/short-urls')
    for (const [path, shown] of [
      [shareOf(surveyId), 'How people came, 30 days'],
      ['/app/short-links', 'Works'],
      [`/app/short-links/${data[0]?.id}`, 'Clicks by day'],
    ] as const) {
      const page = await visits.open(path)
      await page.getByText(shown).first().waitFor()
      expect(await findingsInEveryLook(page), path).toEqual([])
      await page.context().close()
    }
  })
})
