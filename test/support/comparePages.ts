import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ask } from './ask.ts'
import { getJson } from './getJson.ts'
import { withoutAge } from './withoutAge.ts'

/** One list with its parameters, and all expected rows in order. */
export type ListComparison = {
  path: string
  /** The member of the body that holds the rows. */
  member: string
  params: Record<string, string>
  pageSize: number
  rows: object[]
  /** A GraphQL query, used instead of REST. The member is also its field. */
  selection?: string
  /** The newest blocks of the chains. An answer must be at these. */
  heads: Map<number, number>
  /** Whether a page that is not the last may have fewer rows: its filter looks at so many rows at most. */
  mayBeShort?: boolean
  /** Between two tries of a page that is unavailable; a second by default. */
  repeatMs?: number
}

export type Compared = { rows: number; pages: number; askedAgain: number }

/** A difference between an answer and the oracle. */
export class Difference extends Error {
  override name = 'Difference'
}

const MOST_REPEATS = 5
const REPEAT_MS = 1_000

/** Reads all pages of a list. Throws `Difference` at the first unexpected value. */
export async function comparePages(url: string, list: ListComparison): Promise<Compared> {
  const { rows: expected, pageSize } = list
  const got: unknown[] = []
  const compared = { rows: expected.length, pages: 0, askedAgain: 0 }
  let pageToken: string | null = null
  do {
    const page = await askPage(url, list, pageToken)
    compared.pages += 1
    compared.askedAgain += page.askedAgain
    got.push(...page.rows)
    pageToken = page.nextPageToken
    const isShort = pageToken !== null && page.rows.length < pageSize
    if (page.rows.length > pageSize || (isShort && !list.mayBeShort))
      throw differ(list, `page ${compared.pages} has ${page.rows.length} rows`)
    if (got.length > expected.length) break
  } while (pageToken !== null)
  const most = Math.max(expected.length, got.length)
  for (let row = 0; row < most; row += 1)
    if (!isDeepStrictEqual(got[row], expected[row])) {
      const members = unlikeMembers(expected[row], got[row])
      const where = `row ${row} of ${expected.length}${members}`
      throw differ(list, where, expected[row], got[row])
    }
  return compared
}

/** The names of the fields in which two rows differ; empty if one row is missing. */
function unlikeMembers(...[one, other]: unknown[]): string {
  if (!isRow(one) || !isRow(other)) return ''
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return ` in ${[...names].filter((name) => !isDeepStrictEqual(one[name], other[name])).join(', ')}`
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

async function askPage(url: string, list: ListComparison, pageToken: string | null) {
  const { pageSize, member, repeatMs = REPEAT_MS } = list
  const params = { ...list.params, pageSize: String(pageSize), ...(pageToken ? { pageToken } : {}) }
  for (let askedAgain = 0; ; askedAgain += 1) {
    const answer = await askOnce(url, list, params)
    if (answer.status === 503 && askedAgain < MOST_REPEATS) {
      await sleep(repeatMs)
      continue
    }
    const { [member]: rows, nextPageToken } = answer.body
    if (answer.status !== 200 || !Array.isArray(rows))
      throw differ(list, `status ${answer.status}`, 200, answer.body)
    requireHeads(list, answer.headers)
    return {
      rows: (rows as object[]).map(withoutAge),
      nextPageToken: typeof nextPageToken === 'string' ? nextPageToken : null,
      askedAgain,
    }
  }
}

async function askOnce(
  url: string,
  list: ListComparison,
  params: Record<string, string>,
): Promise<Answer> {
  if (list.selection === undefined)
    return getJson<Record<string, unknown>>(`${url}${list.path}?${new URLSearchParams(params)}`)
  const query = graphqlOf(list, params)
  const response = await ask(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await response.json()) as GraphqlBody
  const { headers } = response
  const [error] = errors ?? []
  if (error) return { status: error.extensions?.code ?? 400, headers, body: { errors } }
  return { status: 200, headers, body: data?.[list.member] ?? {} }
}

type GraphqlBody = {
  data?: Record<string, Record<string, unknown>>
  errors?: { extensions?: { code: number } }[]
}

const TEXTS = ['filter', 'pageToken']

function graphqlOf({ member, selection }: ListComparison, params: Record<string, string>): string {
  const args = Object.entries(params).map(
    ([name, value]) => `${name}: ${TEXTS.includes(name) ? JSON.stringify(value) : value}`,
  )
  return `{ ${member}(${args.join(', ')}) { ${member} { ${selection} } nextPageToken } }`
}

/** Every chain was read at its head, and the index was there too. */
function requireHeads(list: ListComparison, headers: Headers) {
  const degraded = headers.get('x-degraded-chains')
  if (degraded) throw differ(list, 'degraded chains', null, degraded)
  for (const pair of (headers.get('x-indexed-blocks') ?? '').split(',').filter(Boolean)) {
    const [chainId = 0, block] = pair.split('=').map(Number)
    const head = list.heads.get(chainId)
    if (block !== head) throw differ(list, `chain ${chainId} as indexed`, head, block)
  }
}

function differ(
  { path, params, pageSize, selection }: ListComparison,
  where: string,
  ...[expected, got]: unknown[]
): Difference {
  const asked = JSON.stringify({ ...params, pageSize })
  const sides = `\nexpected ${JSON.stringify(expected)}\ngot      ${JSON.stringify(got)}`
  const prefix = selection ? 'GraphQL for ' : ''
  return new Difference(`${prefix}${path} ${asked}: ${where}${sides}`)
}
