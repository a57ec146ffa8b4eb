import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import {
  type Answers,
  type Attack,
  askUnread,
  dawdle,
  type FloodRequest,
  flood,
  holdIdle,
  sendOversized,
} from '../support/attacks.ts'

/** The facts about an api that an attack uses. */
export type EdgeTarget = {
  port: number
  /** The path of an order in its index. */
  orderPath: string
  /** Its entity tag. */
  etag: string
  /** The most that one address may have at the api. */
  mostConnections: number
  mostHeld: number
  seconds: number
}

type EdgeAttack = {
  run(target: EdgeTarget, attack: Attack): Promise<Answers>
  /** Whether these answers show that the attack did not get through. */
  isBounced(answers: Answers, target: EdgeTarget): boolean
  connections: number
}

const ATTACKER = '127.0.0.2'
/** Answers without a delay, at most: those of two windows. */
const FREE_AT_ONCE = 600
const UNPRICED = Array.from(
  { length: 30 },
  (_, n) => `a${n}: __schema { types { name fields { name } } }`,
)
const FULL_TYPE =
  'kind name description fields(includeDeprecated: true) { name type { name kind ofType { name } } }'

const count = (answers: Answers, ...names: string[]) =>
  names.reduce((sum, name) => sum + (answers[name] ?? 0), 0)
const total = (answers: Answers) => count(answers, ...Object.keys(answers))
/** Nearly all are refused; what a quota grants at first is not. */
const isMostlyRefused = (answers: Answers) =>
  count(answers, '400', '401', '429', '503', 'closed') >= 0.7 * total(answers)

/** Answers that cost no quota come at their delayed rate: each connection gets at most two a second. */
const isSlowed = (answers: Answers, { seconds }: EdgeTarget) =>
  total(answers) > 0 && total(answers) <= FREE_AT_ONCE + 200 * 2 * seconds

const floodOf =
  (next: (target: EdgeTarget, number: number) => FloodRequest) =>
  (target: EdgeTarget, attack: Attack) =>
    flood(attack, (number) => next(target, number))

const graphql = (query: string): FloodRequest => ({ path: '/graphql', body: { query } })

/** Attacks on the edge of an api, by name. To add one, add an entry. */
export const EDGE_ATTACKS: Record<string, EdgeAttack> = {
  'silent connections': {
    run: (_, attack) => holdIdle(attack),
    isBounced: (answers, { mostConnections }) =>
      count(answers, '429', 'closed') >= 2_000 - mostConnections,
    connections: 2_000,
  },
  'slow-loris': {
    run: (_, attack) => dawdle(attack),
    isBounced: (answers, { mostConnections }) =>
      count(answers, '429', 'closed') >= 1_000 - mostConnections,
    connections: 1_000,
  },
  'bodies of a megabyte': {
    run: (_, attack) => sendOversized(attack),
    isBounced: (answers) => total(answers) > 0 && count(answers, '200') === 0,
    connections: 100,
  },
  'streams without a key': {
    run: floodOf(({ orderPath }) => ({
      path: '/graphql/stream',
      body: {
        query: `subscription { transitOrder(id: "${orderPath.split('/').at(-1)}") { status } }`,
      },
    })),
    isBounced: (answers, { mostHeld }) =>
      count(answers, '200') <= mostHeld && count(answers, '429') > 0,
    connections: 240,
  },
  'held requests': {
    run: floodOf(({ orderPath, etag }) => ({
      path: `${orderPath}?waitSeconds=30`,
      headers: { 'if-none-match': etag },
    })),
    isBounced: (answers) => count(answers, '200') === 0 && count(answers, '429') > 0,
    connections: 240,
  },
  'thirty schemas in one operation': {
    run: floodOf(() => graphql(`{ ${UNPRICED.join(' ')} }`)),
    isBounced: (answers) => count(answers, '200') === 0,
    connections: 40,
  },
  'introspection that no cache knows': {
    run: floodOf((_, number) =>
      graphql(`{ __schema { types { ${FULL_TYPE} n${number}: name } } }`),
    ),
    isBounced: isMostlyRefused,
    connections: 40,
  },
  'documents that no cache knows': {
    run: floodOf((_, number) =>
      graphql(
        `{ ${Array.from({ length: 600 }, () => '_meta { __typename }').join(' ')} n${number} }`,
      ),
    ),
    isBounced: isMostlyRefused,
    connections: 40,
  },
  'operations of ten thousand points': {
    run: floodOf(() =>
      graphql(
        `{ ${Array.from({ length: 25 }, (_, n) => `a${n}: vaultTvls(pageSize: 100) { vaultTvls { tvl } }`).join(' ')} }`,
      ),
    ),
    isBounced: isMostlyRefused,
    connections: 40,
  },
  'waitSeconds=0': {
    run: floodOf(({ orderPath }) => ({ path: `${orderPath}?waitSeconds=0` })),
    isBounced: isMostlyRefused,
    connections: 200,
  },
  reads: {
    run: floodOf(({ orderPath }) => ({ path: orderPath })),
    isBounced: isMostlyRefused,
    connections: 200,
  },
  quotes: {
    run: floodOf(() => ({ path: '/v1/transit/orders/quote' })),
    isBounced: isMostlyRefused,
    connections: 200,
  },
  'keys that do not exist': {
    run: floodOf(({ orderPath }) => ({
      path: orderPath,
      headers: { 'x-api-key': formatKey(randomKeyParts()) },
    })),
    isBounced: isMostlyRefused,
    connections: 200,
  },
  'files of a megabyte': {
    run: floodOf(() => ({ path: '/openapi.json' })),
    isBounced: isMostlyRefused,
    connections: 200,
  },
  'files that nobody reads': {
    run: (_, attack) => askUnread(attack),
    isBounced: (answers) => count(answers, 'closed') > 0 && count(answers, 'open') === 0,
    connections: 20,
  },
  health: {
    run: floodOf(() => ({ path: '/health' })),
    isBounced: isSlowed,
    connections: 200,
  },
  'paths that do not exist': {
    run: floodOf((_, number) => ({ path: `/v1/${number}` })),
    isBounced: isSlowed,
    connections: 200,
  },
}

/** Runs one from the attacker's address. */
export async function runEdgeAttack(
  name: string,
  target: EdgeTarget,
): Promise<{ isBounced: boolean; answers: Answers }> {
  const attack = EDGE_ATTACKS[name]
  if (!attack) throw new Error(`There is no attack ${name}`)
  const { port, seconds } = target
  const { connections } = attack
  const answers = await attack.run(target, { port, seconds, connections, from: ATTACKER })
  return { isBounced: attack.isBounced(answers, target), answers }
}
