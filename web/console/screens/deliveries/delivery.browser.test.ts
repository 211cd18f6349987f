import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLiveSurvey, submit } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { WIDE } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let ids: string[]
beforeAll(async () => {
  visits = await startConsole()
  const { server, workspace, call } = visits
  const surveyId = await makeLiveSurvey(server, workspace)
  await call('POST', '/v1/webhooks', { url: 'https://crm.example/hooks', description: 'CRM', include_text: false })
  for (const q1 of [10, 9, 0]) await submit(server, surveyId, { answers: { q1 } })
  await server.peek('delete from webhook_queue')
  await server.peek(`update webhook_deliveries set status = 'failed', dead_lettered = true, attempts = 1`)
  await server.peek(
    `insert into webhook_attempts (tenant_id, delivery_id, n, at, status_code, latency_ms, response_excerpt,
       response_headers, url, request_headers, timestamp, signature, body_sha256, omitted)
     select tenant_id, id, 1, created_at, 503, 12, '{"retry":7}', '{"x-load":"9"}', 'https://crm.example/hooks',
       '{"X-VOC-Timestamp":"1795634389","X-VOC-Signature":"v1=b63f","X-Key":"***"}', 1795634389, 'v1=b63f', repeat('a', 64), '{text}'
     from webhook_deliveries`,
  )
  const { data } = await call<{ data: Array<{ id: string }> }>('GET', '/v1/webhook-deliveries')
  ids = data.map(({ id }) => id)
})
afterAll(() => visits.close())

test('the deliveries of the list are gone through by keys and buttons, with its filter, and each end is an end', async () => {
  const filter = { all: [{ field: 'dead_lettered', op: 'eq', value: true }] }
  const search = `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const page = await visits.open(`/app/deliveries?${search}`)
  await page.locator('tbody tr[data-id]').first().click()
  const shows = (id = '') => page.locator('.meta bdi', { hasText: id }).waitFor()
  const [previous, next] = ['Previous delivery', 'Next delivery'].map((name) => page.getByRole('button', { name }))
  await shows(ids[0])
  await expect.poll(() => previous?.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press(']')
  await shows(ids[1])
  await page.getByRole('tab', { name: 'Answer' }).click()
  await next?.press('Enter')
  await shows(ids[2])
  // The way keeps the focus, and the part that somebody reads stays open.
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Next delivery')
  expect(await page.getByRole('tab', { name: 'Answer' }).getAttribute('aria-selected')).toBe('true')
  expect(await next?.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('[')
  await shows(ids[1])
  expect(new URL(page.url()).searchParams.get('filter')).toBe(JSON.stringify(filter))
  await page.goBack()
  await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(3)
  expect(visits.complaints).toEqual([])
  await page.context().close()
})

test('the period of the list is a condition of its filter, and comes before the others', async () => {
  const days = (age: number) =>
    visits.server.peek(
      `update webhook_deliveries set created_at = created_at + interval '${age} days' where id = (
         select id from webhook_deliveries order by id limit 1)`,
    )
  await days(-3)
  const page = await visits.open('/app/deliveries')
  const rows = page.locator('tbody tr[data-id]')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('button', { name: 'Period: Any time' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Last 24 hours' }).press('Enter')
  await page.getByRole('button', { name: 'Period: Last 24 hours' }).waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Dead letters 2' }).click()
  expect(await page.getByRole('search').locator('.pill').count()).toBe(1)
  await page
    .getByRole('search')
    .getByRole('button', { name: /^Take out/ })
    .click()
  await expect
    .poll(() => new URL(page.url()).searchParams.get('filter'))
    .toBe(JSON.stringify({ all: [{ field: 'created_at', op: 'within_days', value: 1 }] }))
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await expect.poll(() => rows.count()).toBe(3)
  expect(visits.complaints).toEqual([])
  await page.context().close()
  await days(3)
})

test('the request and the answer have colours of their parts, and the exact bytes are copied', async () => {
  const page = await visits.open(`/app/deliveries/${ids[0]}`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const body = page.locator('[data-body]')
  await body.locator('.name', { hasText: '"responseId"' }).waitFor()
  await body.locator('.string', { hasText: '"response.completed"' }).waitFor()
  expect(await body.locator('.number').count()).toBeGreaterThan(0)
  const headers = page.getByLabel('Headers as sent')
  expect((await headers.innerText()).split('\n')).toEqual([
    'POST https://crm.example/hooks',
    'X-VOC-Timestamp: 1795634389',
    'X-VOC-Signature: v1=b63f',
    'X-Key: *** yours, masked',
  ])
  await page.getByRole('heading', { name: 'Left out' }).waitFor()
  await page.getByText('Off for this endpoint, so it is not in the bytes of this attempt.').waitFor()
  expect(await body.locator('mark').innerText()).toMatch(/^"omitted": \[\s+"text"\s+\]$/)
  await page.getByRole('button', { name: 'As signed' }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const { payload } = await visits.call<{ payload: string }>('GET', `/v1/webhook-deliveries/${ids[0]}`)
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(payload)
  expect(await body.innerText()).toBe(payload)
  expect(await findingsInEveryLook(page)).toEqual([])
  await page.setViewportSize(WIDE)
  await page.getByRole('tab', { name: 'Answer' }).click()
  expect(await page.getByRole('tabpanel').locator('pre').innerText()).toBe('503\nx-load: 9\n\n{"retry":7}')
  expect(await findingsInEveryLook(page)).toEqual([])
  expect(visits.complaints).toEqual([])
  await page.context().close()
})
