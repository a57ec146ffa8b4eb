import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { pause } from '../../../domain/loop/pause.ts'
import { MAX_PAGE_SIZE } from '../../../domain/page/pageParameters.ts'
import type { TokenMetadataMap } from '../../../domain/token/tokenMetadata.ts'
import { toServiceError } from '../../error/toServiceError.ts'
import { logFailure } from '../../http/logFailure.ts'
import { setFreshness } from '../../http/setFreshness.ts'
import { watchKey } from '../../http/watchKey.ts'
import { type HeldPlace, takeHeldPlace } from '../../limits/heldPlaces.ts'
import { chargePage } from '../../limits/limitRequests.ts'
import type { CsvList } from './csvList.ts'
import { csvHeader, csvRows } from './csvText.ts'

type Variables = Record<string, unknown>

/** The answer of a list's document. A list has page tokens, or cursors that `after` takes, or one page. */
type ListPage = Record<string, unknown> & {
  nextPageToken?: string | null
  nextAfter?: string
  hasMore?: boolean
  tokenMetadata?: TokenMetadataMap
}

type Cursor = { name: 'pageToken' | 'after'; value: string }

type CsvAnswer = {
  list: CsvList
  /** Whether the table begins with a byte order mark, by which Excel knows that it is UTF-8. */
  hasBom: boolean
  variables: Variables
  /** Reads the page of these variables. */
  read: (variables: Variables) => Promise<object>
  /** The most rows of the answer. */
  mostRows: number
  /** Aborted when the server closes. */
  closing: AbortSignal
}

const BYTE_ORDER_MARK = '\ufeff'
/** The trailer with the `pageToken`, or the `after`, of the rows that follow; empty where none do. */
const NEXT_TRAILER = 'x-next-page-token'

/**
 * Answers a list in CSV: page after page, each read when the client has taken the one before. Throws the errors of the
 * first page. After that, a failure cuts the connection, since the answer cannot become an error any more.
 */
export async function sendCsv(reply: FastifyReply, csv: CsvAnswer): Promise<FastifyReply> {
  const { request } = reply
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (reply.raw.destroyed) gone.abort() // It left before, and `close` does not come again.
  const first = await readPage(csv, null, 0)
  setFreshness(reply, request)
  reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${csv.list.rows}.csv"`)
    .type('text/csv; charset=utf-8; header=present')
  // A stream, because a text would have a length, which GET has not.
  if (request.method === 'HEAD') return reply.send(Readable.from([], { objectMode: false }))
  if (gone.signal.aborted) return reply.send('')
  const place = cursorOf(first) ? takeHeldPlace(request, 'csv') : null
  if (place) gone.signal.addEventListener('abort', place.leave)
  const pages: Pages = { first, place, gone: gone.signal, next: null }
  reply.trailer(NEXT_TRAILER, async () => pages.next?.value ?? '')
  return reply.send(Readable.from(csvChunks(reply, csv, pages), { objectMode: false }))
}

type Pages = {
  first: ListPage
  /** Null if the first page is the only one. */
  place: HeldPlace | null
  /** Aborted when the client is gone. */
  gone: AbortSignal
  /** Where the page after the newest one begins. */
  next: Cursor | null
}

async function* csvChunks(reply: FastifyReply, csv: CsvAnswer, pages: Pages) {
  const { first, place, gone } = pages
  const { list, hasBom, mostRows } = csv
  const { request } = reply
  const head = (hasBom ? BYTE_ORDER_MARK : '') + csvHeader(list)
  const revoked = new AbortController()
  const forgetKey = watchKey(request, (refusal) => revoked.abort(refusal))
  const signal = AbortSignal.any([gone, revoked.signal, csv.closing])
  try {
    let rows = 0
    for (let page = first; ; ) {
      const ofPage = rowsOf(list, page)
      rows += ofPage.length
      const next = cursorOf(page)
      pages.next = next
      const text = csvRows(list, ofPage, page.tokenMetadata ?? {})
      const resume = place?.pause()
      try {
        yield page === first ? head + text : text
      } finally {
        resume?.()
      }
      if (!next || !place || rows >= mostRows) return
      page = await whileAwake(reply, async () => {
        await admitPage(reply, place, signal)
        signal.throwIfAborted()
        return readPage(csv, next, rows)
      })
    }
  } catch (error) {
    if (!signal.aborted) logFailure(request, toServiceError(error))
    throw error
  } finally {
    forgetKey()
  }
}

/** Pages are as large as they can be, whatever the client asked for: each costs the same. */
async function readPage(csv: CsvAnswer, cursor: Cursor | null, rows: number): Promise<ListPage> {
  const { list, variables, read, mostRows } = csv
  const size = list.isPaged ? { pageSize: Math.min(MAX_PAGE_SIZE, mostRows - rows) } : {}
  const at = cursor ? { [cursor.name]: cursor.value } : {}
  return (await read({ ...variables, ...size, ...at })) as ListPage // Only lists are answered as CSV.
}

/** Charges the next page. While the quota of the client is nearly used up, waits for its next window. */
async function admitPage({ request }: FastifyReply, place: HeldPlace, signal: AbortSignal) {
  for (;;) {
    const { isGranted, waitMs } = await chargePage(request)
    if (waitMs > 0) await place.wait(() => pause(waitMs, signal))
    if (isGranted || signal.aborted) return
  }
}

/** The silence while a page waits is the server's own: the connection must not end for it. */
async function whileAwake<Result>(
  { request }: FastifyReply,
  run: () => Promise<Result>,
): Promise<Result> {
  const { socket } = request.raw
  socket.setTimeout(0)
  return run().finally(() => socket.setTimeout(request.server.server.timeout))
}

/** Where the next page begins; null after the last. */
function cursorOf({ nextPageToken, nextAfter, hasMore }: ListPage): Cursor | null {
  if (nextPageToken) return { name: 'pageToken', value: nextPageToken }
  return hasMore && nextAfter ? { name: 'after', value: nextAfter } : null
}

function rowsOf({ rows }: CsvList, page: ListPage): Record<string, unknown>[] {
  // The schema has a list of objects here: `csvListOf` found it.
  return page[rows] as Record<string, unknown>[]
}

/**
 * The table that `Accept` asks for: null unless it names `text/csv`, and nothing that this API answers is preferred to it.
 * Wildcards mean JSON. `bom=1` asks for a byte order mark.
 */
export function wantedCsv(accept: string | undefined): Pick<CsvAnswer, 'hasBom'> | null {
  const ranges = (accept ?? '').split(',').map(readRange)
  const rangeOf = (type: string) => ranges.find((range) => range.type === type)
  const csv = rangeOf('text/csv')
  if (!csv || csv.quality === 0) return null
  const json = rangeOf('application/json')?.quality ?? 0
  return csv.quality >= json ? { hasBom: csv.hasBom } : null
}

function readRange(text: string): { type: string; quality: number; hasBom: boolean } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2)) || 0
  return { type, quality, hasBom: parameters.includes('bom=1') }
}
