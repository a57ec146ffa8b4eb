import { ShieldError } from '@causeway/sdk/shield'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { plainJson } from './plainJson.ts'
import { readBounded } from './readBounded.ts'
import { checkAnswer } from './shield/checkAnswer.ts'
import type { Answer } from './shield/checkedParts.ts'
import type { Shield } from './shield/openShield.ts'
import type { ShieldedTool } from './shield/shieldedTool.ts'
import { withoutSignables } from './shield/withoutSignables.ts'

/** Where calls go, and in whose name. */
export type ApiCaller = {
  apiUrl: string
  apiKey: string | null
  /** The addresses that a call came through, if a proxy has to pass them on. */
  forwardedFor?: string | null
}

/** An answer of this many bytes is some 25,000 tokens of a language model. */
const MAX_ANSWER_BYTES = 100_000
/** Above the longest `waitSeconds`. */
const TIMEOUT_MS = 60_000

type ToolCall = { input: Answer; signal: AbortSignal; shield: Shield | null }

/**
 * Calls the operation of a tool, and checks what its answer lets a wallet sign. A failure is a tool error whose text is JSON
 * with `reason`, `message` and `requestId`. With a shield, a failure has nothing that a wallet could sign.
 */
export async function callOperation(
  { apiUrl, apiKey, forwardedFor }: ApiCaller,
  tool: ShieldedTool,
  { input, signal, shield }: ToolCall,
): Promise<CallToolResult> {
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'causeway-mcp' })
  if (apiKey) headers.set('x-api-key', apiKey)
  if (forwardedFor) headers.set('x-forwarded-for', forwardedFor)
  const path = pathOf(tool, input)
  if (path === null) {
    const message = 'an id in the path is empty, or only dots'
    return failure({ reason: 'INVALID_INPUT', message, requestId: null })
  }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(apiUrl + path, {
      headers,
      // Another host must not get the key.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    })
    const requestId = response.headers.get('x-request-id')
    const text = await readBounded(response, MAX_ANSWER_BYTES)
    if (text === null)
      return failure({ reason: 'ANSWER_TOO_LARGE', message: tooLarge(tool), requestId })
    const answer = parsed(text)
    const failed = (error: Failure) => failure(shield ? withoutSignables(error) : error)
    if (!response.ok || !answer)
      return failed({ ...errorOf(text, response.status), requestId, ...retryAfter(response) })
    const checking = { words: input, answer: plainJson(answer) }
    return await checkAnswer(shield, tool.preparing, checking).then(success, (error) =>
      failed({ ...refusalOf(error), requestId }),
    )
  } catch (error) {
    signal.throwIfAborted()
    const reason = timeout.aborted ? 'TIMED_OUT' : 'CONNECTION_FAILED'
    const message = timeout.aborted
      ? `no answer within ${TIMEOUT_MS} ms`
      : `no answer of the API: ${error}`
    return failure({ reason, message, requestId: null })
  }
}

/** Null for an id that would lead to another path: a URL takes `..` away, also where it is encoded. */
function pathOf({ path, preparing }: ShieldedTool, input: Answer): string | null {
  const isSent = ([name]: [string, unknown]) => !(preparing && name in preparing.limits)
  const left = new Map(Object.entries(input).filter(isSent))
  let leads = true
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left.get(name))
    left.delete(name)
    leads &&= !/^\.{0,2}$/.test(value)
    return encodeURIComponent(value)
  })
  if (!leads) return null
  const query = new URLSearchParams(
    [...left].map(([name, value]): [string, string] => [name, String(value)]),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

type Failure = { reason: string; message: string; requestId: string | null }

function success(answer: Answer): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
}

function failure(error: Answer): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(plainJson(error)) }] }
}

/** Why an answer was not let through: `NOT_CHECKED` for one that the check cannot read, or whose rate no node tells. */
function refusalOf(error: unknown) {
  const isRefusal = error instanceof ShieldError
  return {
    refusedBy: 'shield',
    reason: isRefusal ? error.reason : 'NOT_CHECKED',
    message: error instanceof Error ? error.message : String(error),
  }
}

function tooLarge({ inputSchema }: ShieldedTool): string {
  const isList = 'pageSize' in (inputSchema.properties as object)
  const remedy = isList ? 'Ask for fewer rows: a smaller pageSize, or a filter.' : 'Ask for less.'
  return `The answer has more than ${MAX_ANSWER_BYTES} bytes. ${remedy}`
}

type Detail = { reason?: string; metadata?: object; fieldViolations?: object[] }
type Envelope = { error?: { message?: string; details?: Detail[] } }

/** The reason, the message and what belongs to them, out of the API's envelope; the text of a proxy that answered instead. */
function errorOf(text: string, status: number) {
  const { error } = (parsed(text) ?? {}) as Envelope
  const details = error?.details ?? []
  const info = details.find(({ reason }) => reason)
  // A proxy answered, or a health check that is down.
  if (!info?.reason) return { reason: 'HTTP_ERROR', message: text.slice(0, 2_000), status }
  const violations = details.flatMap(({ fieldViolations = [] }) => fieldViolations)
  return {
    reason: info.reason,
    message: error?.message ?? info.reason,
    status,
    ...(info.metadata ? { metadata: info.metadata } : {}),
    ...(violations.length > 0 ? { violations } : {}),
  }
}

/** The JSON object of an answer; null if it is none. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

function retryAfter({ headers }: Response): { retryAfterSeconds?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}
}
