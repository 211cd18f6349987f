/** A member of an answer of the API. */
export type Data = Record<string, unknown>

/** A change or a file that the page offers. */
export interface Press {
  label: 'download' | 'document' | 'enable' | 'disable'
  /** Distinguishes presses with the same label. */
  about: string | Date
  method: 'GET' | 'PATCH'
  path: string
  body?: object
}

export interface Shown {
  /** Members that the page lists, in this order. A time is a Date, so that no text of a person is read as one. */
  rows: Array<[name: string, value: unknown]>
  presses: Press[]
}

/** A thing that a mail or a message leads to, and how the API shows it. */
export interface Thing {
  title: TitleName
  /** Where the API answers with it. A list is in `data`. */
  read: string
  /** A second answer that the page shows too. */
  more?: string
  show(data: Data, more: Data): Shown
}

export type TitleName = 'schedule' | 'report' | 'notifications'

// Things whose screen the console does not have yet, under the addresses that it will have (contract, "Console").
const PLACES: Array<[path: RegExp, thing: (id: string) => Thing]> = [
  [/^\/app\/exports\/(exs_\w+)$/, exportSchedule],
  [/^\/app\/reports\/(rpt_\w+)$/, report],
  [/^\/app\/settings\/(notifications)$/, notifications],
]

/** Null for an address that shows nothing. */
export function thingAt(path: string): Thing | null {
  for (const [pattern, thing] of PLACES) {
    const id = pattern.exec(path)?.[1]
    if (id !== undefined) return thing(id)
  }
  return null
}

function exportSchedule(id: string): Thing {
  const read = `/v1/export-schedules/${id}`
  return {
    title: 'schedule',
    read,
    show: (data) => ({
      rows: pick(data, ['enabled', 'paused_reason', 'cron', 'timezone', 'next_run_at']),
      presses: [turn(read, data)],
    }),
  }
}

function report(id: string): Thing {
  const read = `/v1/reports/${id}`
  return {
    title: 'report',
    read,
    more: `${read}/runs?limit=10`,
    show: (data, more) => ({
      rows: pick(data, ['name', 'enabled', 'paused_reason', 'next_run_at']),
      presses: [
        ...list(more['data'])
          .filter(({ status }) => status === 'completed')
          .map((run): Press => {
            return {
              label: 'document',
              about: new Date(String(run['completed_at'])),
              method: 'GET',
              path: `${read}/runs/${String(run['id'])}/document`,
            }
          }),
        turn(read, data),
      ],
    }),
  }
}

function notifications(): Thing {
  const path = '/v1/notification-subscriptions'
  return {
    title: 'notifications',
    read: `${path}?limit=100`,
    show: (data) => ({
      rows: list(data['data']).map(({ event, channel, enabled }): [string, unknown] => [
        `${String(event)} (${String(channel)})`,
        enabled,
      ]),
      presses: list(data['data']).map((each) => ({
        ...turn(`${path}/${String(each['id'])}`, each),
        about: `${String(each['event'])} (${String(each['channel'])})`,
      })),
    }),
  }
}

function turn(path: string, { enabled }: Data): Press {
  return { label: enabled ? 'disable' : 'enable', about: '', method: 'PATCH', path, body: { enabled: !enabled } }
}

function pick(data: Data, names: string[]): Array<[string, unknown]> {
  return names.map((name) => {
    const value = data[name]
    return [name, name.endsWith('_at') && typeof value === 'string' ? new Date(value) : value]
  })
}

function list(value: unknown): Data[] {
  return Array.isArray(value) ? (value as Data[]) : []
}
