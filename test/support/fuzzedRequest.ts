import { exampleTabs } from '../../api/docs/exampleTabs.ts'
import { description, type Parameter } from './describedAnswer.ts'
import type { SeededRandom } from './seededRandom.ts'

export type FuzzedRequest = {
  method: 'get' | 'post'
  /** The path with its query. */
  target: string
  body?: string
  contentType?: string
  accept?: string
}

const HUGE = 20_000
const NUMBERS = [
  '0',
  '-1',
  '1',
  '2147483647',
  '2147483648',
  '1e3',
  '0x10',
  '007',
  '1.5',
  'NaN',
] as const
const WORDS = [
  '',
  ' ',
  'null',
  'true',
  'undefined',
  '[]',
  '{}',
  '%',
  '"',
  "'",
  '\\',
  "' or 1=1 --",
  '\u0000',
  '\ud83d\ude00',
  'é\u0301',
  '\u202eabc',
  '한글',
  '０',
  '__proto__',
  'constructor',
  '../../etc',
  '*',
] as const
const ACCEPTS = [
  'text/csv',
  'text/csv',
  'text/csv;q=0.5, */*',
  'application/json, text/csv',
  'text/csv;q=nine',
  ',;=',
] as const
const FILTERS = ['a = b', 'chainId = ', 'chainId = 1 AND', '((', 'status = "', 'name ~ x'] as const

const gets = Object.entries(description.paths).flatMap(([path, { get }]) =>
  get ? [{ path, parameters: get.parameters ?? [] }] : [],
)
const OPERATIONS = Object.keys(description.paths)
/** The paths of REST that take a body. */
const POSTED = OPERATIONS.filter(
  (path) => path.startsWith('/v') && description.paths[path]?.post?.requestBody,
)
const queries = exampleTabs().filter(({ query }) => !query.startsWith('subscription'))

/** A value of any invalid kind, sometimes a valid one. */
function value(random: SeededRandom, { example, name }: Parameter): string {
  const good = example === undefined ? '1' : String(example)
  // With a valid value the request would wait.
  if (name === 'waitSeconds') return random.pick(['0', '31', '-1', 'x', ''])
  const kinds: [() => string, ...(() => string)[]] = [
    () => good,
    () => good,
    () => good,
    () => good,
    () => random.pick(NUMBERS),
    () => String(2n ** BigInt(random.integer(0, 300))),
    () => pickAny(random, WORDS),
    () => random.pick(FILTERS),
    () => random.hex(random.integer(0, 40)),
    () => good.slice(0, random.integer(0, good.length)),
    () => good.toUpperCase(),
    () => `${good}${pickAny(random, WORDS)}`,
    () => (random.chance(0.1) ? random.pick(['9', 'x', '한', '(']).repeat(HUGE) : '9'.repeat(80)),
  ]
  return random.pick(kinds)()
}

/** A random item of a list that is never empty, though its type allows it. */
function pickAny<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const [first, ...others] = items
  if (first === undefined) throw new Error('there is something to pick from')
  return random.pick([first, ...others])
}

function get(random: SeededRandom): FuzzedRequest {
  const { path, parameters } = pickAny(random, gets)
  let target = path
  const query: string[] = []
  for (const parameter of parameters) {
    if (parameter.in === 'header' || (parameter.in === 'query' && random.chance(0.15))) continue
    // Lone surrogates cannot be in URLs.
    const text = encodeURIComponent(value(random, parameter).toWellFormed())
    if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, text || '%20')
    else query.push(`${parameter.name}=${text}`)
    if (parameter.in === 'query' && random.chance(0.03)) query.push(`${parameter.name}=${text}`)
  }
  if (random.chance(0.05)) query.push(`${random.pick(['x', '__proto__', '%zz', 'a[b]'])}=1`)
  const accept = random.chance(0.3) ? { accept: random.pick(ACCEPTS) } : {}
  return {
    method: 'get',
    target: query.length > 0 ? `${target}?${query.join('&')}` : target,
    ...accept,
  }
}

function graphqlBody(random: SeededRandom): string {
  const { query, variables = '{}' } = pickAny(random, queries)
  const mutated = Object.fromEntries(
    Object.entries(JSON.parse(variables) as Record<string, unknown>).map(([name, given]) => [
      name,
      random.chance(0.6)
        ? given
        : random.pick([null, 1, -1, 1.5, [], {}, pickAny(random, WORDS), true]),
    ]),
  )
  const bodies: [() => string, ...(() => string)[]] = [
    () => JSON.stringify({ query, variables: mutated }),
    () => JSON.stringify({ query, variables: random.pick([null, 'x', [], 1, {}]) }),
    () => JSON.stringify({ query: query.slice(0, random.integer(0, query.length)) }),
    () => JSON.stringify({ query: random.pick([null, 1, [], {}, '', '{', ...WORDS]) }),
    () => JSON.stringify({ query: `{ ${'a: __typename '.repeat(random.integer(1, 2_000))} }` }),
    () => JSON.stringify({ query: `${'{ _meta '.repeat(500)}${'}'.repeat(500)}` }),
    () => JSON.stringify({ query, operationName: pickAny(random, WORDS) }),
    () =>
      JSON.stringify({
        query,
        extensions: random.pick<unknown>([1, { persistedQuery: { version: 1 } }]),
      }),
    () => JSON.stringify([{ query }]),
    () => random.pick(['', '{', 'null', '1', '"x"', '[]', '{"__proto__":{"query":"{a}"}}']),
    () => JSON.stringify({ query: 'x'.repeat(random.integer(0, 70_000)) }),
  ]
  return random.pick(bodies)()
}

/** The example of a path's JSON body, of a path that takes one. */
function restBody(random: SeededRandom, target: string): string {
  const { requestBody } = description.paths[target]?.post ?? {}
  const example = requestBody?.content['application/json']?.example ?? {}
  const mutated = Object.entries(example).flatMap(([name, given]) => {
    if (random.chance(0.1)) return []
    const isKept = random.chance(0.6)
    const bad = random.pick([null, 1, -1, 1.5, [], {}, pickAny(random, WORDS), true])
    return [
      [
        name,
        isKept
          ? given
          : random.chance(0.5)
            ? bad
            : value(random, { name, example: given } as Parameter),
      ],
    ]
  })
  return JSON.stringify(Object.fromEntries(mutated))
}

function post(random: SeededRandom): FuzzedRequest {
  const isGraphql = random.chance(0.8)
  const target = isGraphql
    ? random.pick(['/graphql', '/graphql', '/graphql/stream'])
    : random.chance(0.5)
      ? pickAny(random, POSTED)
      : random.pick(OPERATIONS as [string])
  const types = ['application/json', 'text/plain', 'application/json; charset=latin1', ''] as const
  const contentType = random.chance(0.9) ? 'application/json' : random.pick(types)
  const isOwn = POSTED.includes(target) && random.chance(0.8)
  const body = isOwn ? restBody(random, target) : graphqlBody(random)
  return { method: 'post', target, body, contentType }
}

/** A random request to an operation of docs/openapi.json, mostly an invalid one. */
export function fuzzedRequest(random: SeededRandom): FuzzedRequest {
  return random.chance(0.75) ? get(random) : post(random)
}
