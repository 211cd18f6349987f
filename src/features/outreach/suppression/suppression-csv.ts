import type { z } from 'zod'
import type { Issue } from '../../../http/problems/problem.ts'
import { readCsv, type CsvRow } from '../csv-import/csv-rows.ts'
import { isMaskedAddress } from '../../trust/addresses/address.ts'
import {
  channel,
  importedReason,
  LEFT_OUT,
  LONGEST_ADDRESS,
  MOST_SUPPRESSIONS,
  type UNREADABLE,
} from './suppression.schema.ts'

export interface ReadRow {
  channel: z.output<typeof channel>
  address: string
  reason: z.output<typeof importedReason>
}

export interface UnreadRow {
  rejected: (typeof UNREADABLE)[number]
}

/** Reads addresses to suppress from CSV. Without a channel, what has an @ is an email address. */
export function readSuppressionsCsv(
  bytes: Uint8Array,
  contentType?: string,
): Promise<{ rows: Array<ReadRow | UnreadRow>; issues: Issue[] }> {
  const columns = {
    known: ['address', 'channel', 'reason'],
    ignored: LEFT_OUT,
    oneOf: ['address'],
    most: MOST_SUPPRESSIONS,
  } as const
  return readCsv(bytes, columns, readRow, contentType)
}

function readRow(row: CsvRow): ReadRow | UnreadRow {
  const address = row.get('address') ?? ''
  if (address === '' || address.length > LONGEST_ADDRESS) return { rejected: 'invalid_address' }
  if (isMaskedAddress(address)) return { rejected: 'masked' }
  const asked = channel.safeParse(row.get('channel')?.toLowerCase() ?? (address.includes('@') ? 'email' : undefined))
  if (!asked.success) return { rejected: 'invalid_channel' }
  const reason = importedReason.safeParse(row.get('reason')?.toLowerCase())
  if (!reason.success) return { rejected: 'invalid_reason' }
  return { address, channel: asked.data, reason: reason.data }
}
