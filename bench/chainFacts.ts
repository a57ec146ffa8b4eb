import { type BenchChain, benchAssets, benchChains, FIRST_ORDER_AT } from './benchChains.ts'
import { routePeriods } from './routePeriods.ts'

/** Makes the statement that fills one fact table of the build in this Postgres schema. */
type FactInsert = (postgresSchema: string) => string

const { offered, wanted } = benchAssets

/** Every fact of one chain about the orders in `bench_seed.seed_order`. */
export function chainFacts(chain: BenchChain): FactInsert[] {
  const origin = originOn(chain)
  return [
    headOf(chain),
    sources(chain, origin),
    destinations(chain, origin),
    tombstones(chain, origin),
    ...routePeriods(chain),
  ]
}

type Origin = (time: string, salt: string) => string

/** The six columns of a fact's origin; `time` is the SQL of its Unix time, `salt` of its transaction. */
function originOn(chain: BenchChain): Origin {
  return (time, salt) => {
    const { number, timestamp } = blockAt(chain, time)
    return `${chain.id} as chain_id, ${number} as block_number,
      ${hash(`'block${chain.id}' || ${number}`)} as block_hash, ${timestamp} as block_timestamp,
      ${hash(`${salt} || o.id`)} as transaction_hash, (o.i % 300)::integer as log_index`
  }
}

function blockAt({ firstBlock, blockSeconds }: BenchChain, time: string) {
  const blocks = `((${time}) - ${FIRST_ORDER_AT}) / ${blockSeconds}`
  return {
    number: `(${firstBlock} + ${blocks})`,
    timestamp: `(${FIRST_ORDER_AT} + ${blocks} * ${blockSeconds})`,
  }
}

const DUE = '(o.amount - 1000)'

/** Parts are equal, except the first, which takes the remainder of the division. */
function remainingAfter(parts: string): string {
  return `case when ${parts} = 0 then ${DUE} else (o.parts - (${parts})) * (${DUE} / o.parts) end`
}

function hash(text: string): string {
  return `'0x' || encode(sha256((${text})::bytea), 'hex')`
}

function perChain(column: string, value: (chain: BenchChain) => string): string {
  const cases = benchChains.map((chain) => `when ${chain.id} then ${value(chain)}`)
  return `case o.${column} ${cases.join(' ')} end`
}

/** The newest block of a chain. */
export const headOf = (chain: BenchChain): FactInsert => {
  const { id, headBlock, firstBlock, blockSeconds } = chain
  const time = FIRST_ORDER_AT + (headBlock - firstBlock) * blockSeconds
  return (schema) => `
    insert into ${schema}.chain_head (
      chain_id, block_number, block_timestamp, block_hash, last_change_hash, is_ready
    )
    select ${id}, ${headBlock}, ${time}, hash, hash, true
    from (values (${hash(`'block${id}' || ${headBlock}`)})) head (hash)`
}

const sources =
  ({ id, eid }: BenchChain, origin: Origin): FactInsert =>
  (schema) =>
    `
  insert into ${schema}.transit_source (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, order_id, source_eid, destination_eid, user_address,
    transaction_sender, offer_asset, want_asset, offer_amount, receiver, protocol_fee, integrator_fee, integrator_fee_receiver,
    distributor_code, deadline, salt, message_guid, bridged_normalized18)
  select ${origin('o.submitted_at', `'submit'`)}, o.id, ${eid},
    ${perChain('destination', (other) => String(other.eid))}, o.user_address, o.user_address, '${offered(id)}',
    ${perChain('destination', (other) => `'${wanted(other.id)}'`)}, o.amount, o.receiver, 1000, 0,
    '0x${'00'.repeat(20)}', o.distributor_code, o.submitted_at + 600, ${hash(`'salt' || o.id`)},
    case when o.destination <> ${id} then ${hash(`'guid' || o.id`)} end,
    case when o.destination <> ${id} then (o.amount - 1000)::numeric * 1000000000000 end
  from bench_seed.seed_order o where o.source = ${id} order by o.i`

const destinations = (chain: BenchChain, origin: Origin): FactInsert => {
  const { id } = chain
  const last = blockAt(chain, 'o.last_at')
  return (schema) => `
  insert into ${schema}.transit_destination (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, order_id, status, offer_asset, want_asset, receiver, amount_due, remaining,
    queued_at, source_eid, message_guid, executions, removals, used_again, last_block_number, last_block_timestamp)
  select ${origin('o.queued_at', `'queue'`)}, o.id, o.outcome,
    ${perChain('source', (other) => `'${offered(other.id)}'`)}, '${wanted(id)}', o.receiver, ${DUE},
    ${remainingAfter('o.delivered')}, o.queued_at,
    case when o.source <> ${id} then ${perChain('source', (other) => String(other.eid))} end,
    case when o.source <> ${id} then ${hash(`'guid' || o.id`)} end,
    (
      select coalesce(json_agg(json_build_object(
        ${logAt(chain, 'o.queued_at + 30 * part', `'execute' || part`)},
        'amount', (case when part = 1 then ${DUE} else ${remainingAfter('part - 1')} end
          - ${remainingAfter('part')})::text,
        'remaining', (${remainingAfter('part')})::text
      ) order by part), '[]') from generate_series(1, o.delivered) part
    ),
    case when o.outcome = 'REMOVED' then json_build_array(json_build_object(
      ${logAt(chain, 'o.queued_at + 3600', `'remove'`)}, 'remaining', ${DUE}::text
    )) else '[]' end, '[]', ${last.number}, ${last.timestamp}
  from bench_seed.seed_order o
  where o.destination = ${id} and o.outcome not in ('PENDING_BRIDGE', 'BARRED') order by o.i`
}

/** The fields of a log in the arrays of a destination. */
function logAt(chain: BenchChain, time: string, salt: string): string {
  const { number, timestamp } = blockAt(chain, time)
  return `'blockNumber', ${number}, 'blockHash', ${hash(`'block${chain.id}' || ${number}`)},
    'timestamp', ${timestamp}, 'transactionHash', ${hash(`${salt} || o.id`)}, 'logIndex', o.i % 300`
}

const tombstones = (chain: BenchChain, origin: Origin): FactInsert => {
  const { id } = chain
  const barred = blockAt(chain, 'o.submitted_at + 3600')
  return (schema) => `
  insert into ${schema}.transit_destination (chain_id, block_number, block_hash, block_timestamp,
    transaction_hash, log_index, order_id, status, executions, removals, used_again, last_block_number,
    last_block_timestamp)
  select ${origin('o.submitted_at + 3600', `'bar'`)}, o.id, 'REMOVED', '[]', '[]', '[]',
    ${barred.number}, ${barred.timestamp}
  from bench_seed.seed_order o where o.destination = ${id} and o.outcome = 'BARRED' order by o.i`
}
