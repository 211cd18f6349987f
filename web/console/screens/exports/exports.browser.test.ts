import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeFindings, findingsInEveryLook } from '../../../testing/console-visits.ts'
import { onScreen, startWholeConsole, type ConsoleVisits } from '../../../testing/whole-console.ts'

let visits: ConsoleVisits
beforeAll(async () => {
  visits = await startWholeConsole()
  const survey = await visits.call<{ id: string }>('POST', '/v1/surveys', {
    name: 'Help desk',
    questions: [
      { id: 'q1', type: 'nps', title: 'How likely?' },
      { id: 'why', type: 'open_text', title: 'Why?' },
    ],
  })
  await visits.call('POST', `/v1/surveys/${survey.id}/publish`)
  for (const [q1, why] of [
    [9, 'Quick'],
    [2, '=HYPERLINK("x")'],
  ])
    await visits.call('POST', `/public/surveys/${survey.id}/responses`, { answers: { q1, why } })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('exports in the console', () => {
  test('an export is shown before it is made, made, and downloaded whole', async () => {
    const page = await visits.open('/app/exports')
    await page.getByText('Take your data with you').waitFor()
    await page.getByRole('link', { name: 'New export' }).first().click()
    await onScreen(page, 'New export')
    await page.getByLabel('Survey', { exact: true }).selectOption({ label: 'Help desk' })
    await page.getByRole('combobox', { name: 'Add a column…' }).selectOption({ label: 'Score' })
    await page.getByRole('combobox', { name: 'Add a column…' }).selectOption({ label: 'Why?' })
    await page.getByRole('cell', { name: "'=HYPERLINK" }).waitFor()
    await page.getByRole('button', { name: 'Start, 2 rows' }).click()
    await onScreen(page, 'Responses')
    await page.getByText('2 rows in 1 file.').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const file = await downloading
    const bytes = await readFile(await file.path())
    expect(bytes.toString()).toContain("'=HYPERLINK")
    const given = { mimeType: 'text/csv', buffer: bytes }
    await page.getByLabel('Check downloaded files').setInputFiles([
      { ...given, name: 'rows (1).csv' },
      { ...given, name: 'changed.csv', buffer: bytes.subarray(1) },
    ])
    await page.getByText('rows (1).csv is whole and unchanged.').waitFor()
    await page.getByText('changed.csv is none of these files, or it was changed. Download it again.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(page.url()).toMatch(/\/app\/exports\/exr_/)
    const runUrl = page.url()
    await page.getByRole('button', { name: 'Repeat by schedule…' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Responses · Help desk')
    // A schedule that is refused leaves one template, and the next try changes it.
    await dialog.getByLabel('Repeats').selectOption({ label: 'By a cron expression' })
    await dialog.getByLabel('Cron expression').fill('never')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('Name').fill('Help desk, weekly')
    await dialog.getByLabel('Repeats').selectOption({ label: 'Every week' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await onScreen(page, 'Exports')
    await page.getByRole('table', { name: 'Schedules' }).getByText('Help desk, weekly').waitFor()
    const { data: templates } = await visits.call<{ data: unknown[] }>('GET', '/v1/export-templates')
    const { data: schedules } = await visits.call<{ data: unknown[] }>('GET', '/v1/export-schedules')
    expect([templates.length, schedules]).toMatchObject([1, [{ enabled: true }]])
    const [kept] = templates
    expect(kept).toMatchObject({ columns: [{ field: 'score' }, { field: 'text.why' }], options: { answers: 'wide' } })
    await page.goto(runUrl)
    await page.getByRole('link', { name: 'Exports' }).first().click()
    await page.getByText('1 export is ready.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('the screens have nothing that axe finds, in any look', async () => {
    const { data } = await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/export-runs')
    for (const [path, shown] of [
      ['/app/exports', '1 export is ready.'],
      ['/app/exports/new', "'=HYPERLINK"],
      [`/app/exports/${data[0]?.id}`, '2 rows in 1 file.'],
    ] as const) {
      const page = await visits.open(path)
      await page.getByText(shown).first().waitFor()
      expect(await findingsInEveryLook(page), path).toEqual([])
      await page.context().close()
    }
  })
})
