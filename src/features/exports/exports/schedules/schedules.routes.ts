import { tenantRoute } from '../../../../http/routes/route.ts'
import {
  CreateExportSchedule,
  ExportSchedule,
  ExportScheduleList,
  ExportScheduleQuery,
  UpdateExportSchedule,
} from './schedules.schema.ts'
import { createSchedule, deleteSchedule, getSchedule, listSchedules, updateSchedule } from './schedules.service.ts'

const tag = 'Exports'
const permission = 'exports.manage'
const params = { id: 'exportSchedule' } as const
const problems = { 422: '`unknown_template`, or `invalid_schedule`: the cron time or the time zone is not valid.' }

export const createExportScheduleRoute = tenantRoute({
  method: 'post',
  path: '/export-schedules',
  operationId: 'createExportSchedule',
  summary: 'Run a template at set times',
  description:
    'If the server missed a time, the template runs once. If the clocks skip the hour, it runs at the first ' +
    'moment after it. If the hour comes twice, it runs once.',
  tag,
  permission,
  body: CreateExportSchedule,
  example: { template_id: 'ext_01jd8m2t4he6r7s8t9v0w1x2y3', cron: '0 6 * * 1', timezone: 'Europe/Berlin' },
  audit: ['export_schedule.create'],
  response: { status: 201, schema: ExportSchedule },
  problems,
  handler: async (scope, { body, c }) => c.json(await createSchedule(scope, body), 201),
})

export const listExportSchedulesRoute = tenantRoute({
  method: 'get',
  path: '/export-schedules',
  operationId: 'listExportSchedules',
  summary: 'List export schedules, newest first',
  tag,
  permission,
  query: ExportScheduleQuery,
  response: { status: 200, schema: ExportScheduleList },
  handler: (scope, { query }) => listSchedules(scope, query),
})

export const getExportScheduleRoute = tenantRoute({
  method: 'get',
  path: '/export-schedules/:id',
  operationId: 'getExportSchedule',
  summary: 'Read an export schedule',
  tag,
  permission,
  params,
  response: { status: 200, schema: ExportSchedule },
  handler: (scope, { params: { id } }) => getSchedule(scope, id),
})

export const updateExportScheduleRoute = tenantRoute({
  method: 'patch',
  path: '/export-schedules/:id',
  operationId: 'updateExportSchedule',
  summary: 'Change an export schedule, or turn it off, on, or on again after a pause',
  description:
    'A schedule runs as its maker, with what the maker may do at that moment. If the maker has left or may no longer, ' +
    'it pauses and the holders of `exports.manage` get a mail. A change of a schedule that is on makes the caller its maker.',
  tag,
  permission,
  params,
  body: UpdateExportSchedule,
  example: { enabled: false },
  audit: ['export_schedule.update'],
  response: { status: 200, schema: ExportSchedule },
  problems,
  handler: (scope, { params: { id }, body }) => updateSchedule(scope, id, body),
})

export const deleteExportScheduleRoute = tenantRoute({
  method: 'delete',
  path: '/export-schedules/:id',
  operationId: 'deleteExportSchedule',
  summary: 'Delete an export schedule',
  description: 'Its runs stay.',
  tag,
  permission,
  params,
  audit: ['export_schedule.delete'],
  response: { status: 204 },
  handler: (scope, { params: { id } }) => deleteSchedule(scope, id),
})
