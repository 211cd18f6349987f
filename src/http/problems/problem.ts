import type { ProblemCode } from './problem-codes.ts'
import type { IdKind } from '../../platform/ids.ts'
import type { Permission } from '../../platform/permissions.ts'
import { contentTag, tagMatches } from '../../platform/etag.ts'

export interface Issue {
  /** Dotted, such as `answers.q1` or `questions.0.title`. Empty for the whole body. */
  path: string
  message: string
}

interface ProblemOptions {
  detail: string
  issues?: Issue[]
  permission?: Permission
  /** Whole seconds. */
  retryAfter?: number
  /** More members of this problem type, such as `successor`. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  417: 'Expectation failed',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  431: 'Request header fields too large',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
}

/** The only error that crosses HTTP: RFC 9457 problem details, with the members of docs/specification.md, "Errors". */
export class Problem extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly options: ProblemOptions
  constructor(status: number, code: ProblemCode, options: ProblemOptions) {
    super(options.detail)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.options = options
  }

  toJSON(requestId: string): Record<string, unknown> {
    const { detail, issues, permission, retryAfter, extra } = this.options
    return {
      type: `urn:earshot:problem:${this.code}`,
      title: TITLES[this.status] ?? 'Error',
      status: this.status,
      code: this.code,
      detail,
      request_id: requestId,
      ...(issues && { issues }),
      ...(permission && { permission }),
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
      ...extra,
    }
  }
}

/** The same bytes for a missing, a malformed and a foreign id. The answer never repeats the id. */
export function notFound(_kind?: IdKind): Problem {
  return new Problem(404, 'not_found', {
    detail: 'There is nothing here that you can see. Check the id and the workspace.',
  })
}

export function unauthorized(): Problem {
  return new Problem(401, 'unauthorized', {
    detail:
      'Send a session token or an API key as `Authorization: Bearer <token>`. The one you sent is missing, wrong or ' +
      'expired.',
  })
}

export function forbidden(permission: Permission): Problem {
  return new Problem(403, 'forbidden', {
    detail: `You need the permission ${permission}. Ask an administrator of the workspace for it.`,
    permission,
  })
}

/** 400: the request does not fit the schema. */
export function badRequest(
  issues: Issue[],
  detail = 'The request does not fit the schema. `issues` has the wrong values.',
): Problem {
  return new Problem(400, 'invalid_request', { detail, issues })
}

/** 422: the request fits the schema but breaks a rule. */
export function unprocessable(
  code: ProblemCode,
  issues: Issue[],
  detail = 'The request breaks a rule. `issues` has the details.',
): Problem {
  return new Problem(422, code, { detail, issues })
}

export function conflict(code: ProblemCode, detail: string): Problem {
  return new Problem(409, code, { detail })
}

export function tooLarge(limitBytes: number): Problem {
  return new Problem(413, 'too_large', { detail: `The body can have at most ${limitBytes} bytes. Send less.` })
}

export function tooManyRequests(
  retryAfter: number,
  detail = 'You sent too many requests. Wait before the next one.',
): Problem {
  return new Problem(429, 'rate_limited', { detail, retryAfter })
}

export function unavailable(retryAfter = 5): Problem {
  return new Problem(503, 'unavailable', {
    detail: 'The database cannot be reached right now. Nothing was stored. Try again.',
    retryAfter,
  })
}

export function internal(): Problem {
  return new Problem(500, 'internal_error', {
    detail: 'The server failed. Give the request_id to its operator, who can find the cause.',
  })
}

/**
 * Refuses a change of a resource that is not the one that the caller read. An absent `If-Match` allows any.
 * @param shown the resource as it is now, locked until the change commits.
 * @throws Problem 412 `stale`.
 */
export function requireUnchanged(ifMatch: string | undefined, shown: object): void {
  if (ifMatch === undefined || tagMatches(ifMatch, contentTag(shown))) return
  throw new Problem(412, 'stale', {
    detail: 'It has changed since you read it. Read it again, then repeat the change.',
  })
}
