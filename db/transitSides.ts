import type { ISql, Sql } from 'postgres'

/**
 * `read.transit_side`: both sides of every Transit order of every chain, under the order's id. It is a copy of the rows that the
 * builds' own tables hold, so that one statement finds any order, however many chains there are. Triggers on those
 * tables write it in the transaction that writes the row, whoever that is: a block, a reorganisation, a restart.
 * `read.index_head` is the same for `chain_head`: the head of each chain of each build.
 */

/** The columns of a fact table, as Postgres knows them. */
type Column = { name: string; type: string }

/** A side's table in a build, and what its row gives to the columns of `read.transit_side`. */
const SIDES = [
  {
    table: 'transit_source',
    isSource: true,
    user: 'r.user_address',
    receiver: 'r.receiver',
    code: 'r.distributor_code',
    transactions: 'array[r.transaction_hash]',
  },
  {
    table: 'transit_destination',
    isSource: false,
    user: 'null',
    receiver: 'null',
    code: 'null',
    transactions: `array(
      select r.transaction_hash
      union select e->>'transactionHash' from json_array_elements(r.executions) e
      union select e->>'transactionHash' from json_array_elements(r.removals) e
      union select hash from json_array_elements_text(r.used_again) hash)`,
  },
] as const

/** The view of a build that makes the sides of its rows. The name begins like Ponder's own, so it is no fact table. */
const VIEW = '_transit_side'
const COPIED = [
  'order_id',
  'is_source',
  'build',
  'chain_id',
  'created_at',
  'user_address',
  'receiver',
  'distributor_code',
  'transactions',
  'facts',
]
const HEAD = ['block_number', 'block_hash', 'block_timestamp', 'last_change_hash', 'is_ready']
/** Rows of one transaction of the first copy. Postgres holds a lock on each until its end. */
const ROWS_AT_ONCE = 20_000

/**
 * Begins to copy a build: from now on its triggers keep the copy, and all rows that it has already are copied. It may be called
 * again after it was interrupted. Ponder may write meanwhile.
 */
export async function beginCopy(sql: Sql, postgresSchema: string) {
  await forgetInterrupted(sql, postgresSchema)
  await sql.begin(async (transaction) => {
    for (const statement of await definitions(transaction, postgresSchema))
      await transaction.unsafe(statement)
  })
  // Where there is one already, a trigger has written it, and it may be newer.
  await sql.unsafe(`${headInsert(postgresSchema)} on conflict (build) do nothing`)
  for (const { table, isSource } of SIDES) {
    let after: { chainId: number; orderId: string } | undefined = { chainId: 0, orderId: '' }
    while (after) after = await copyRows(sql, { postgresSchema, table, isSource, after })
  }
  await sql.unsafe('analyze read.transit_side')
}

/** Rows of a copy whose end was interrupted are old, and no trigger keeps them. */
async function forgetInterrupted(sql: Sql, postgresSchema: string) {
  await sql`
    delete from read.transit_side where build in (
      select id from app.index_build where postgres_schema = ${postgresSchema}
    ) and not exists (
      select from pg_trigger t where t.tgname = ${HEAD_TRIGGER}
        and t.tgrelid = ${`${postgresSchema}.chain_head`}::regclass)`
}

type Batch = {
  postgresSchema: string
  table: string
  isSource: boolean
  after: { chainId: number; orderId: string }
}

/**
 * Copies the next rows; resolves to the place of the last, or undefined after the last row. The locks keep a reorganisation from
 * deleting a row between its read and its copy: the copy of a deleted row would stay.
 */
async function copyRows(sql: Sql, { postgresSchema, table, isSource, after }: Batch) {
  const [last] = await sql.unsafe<{ chainId: number; orderId: string }[]>(
    `with locked as materialized (
      select chain_id, order_id from ${postgresSchema}.${table}
      where (chain_id, order_id) > ($1::integer, $2::text)
      order by chain_id, order_id limit ${ROWS_AT_ONCE} for key share
    ), copied as (
      insert into read.transit_side (${COPIED.join()})
      select ${COPIED.map((name) => `v.${name}`).join()} from locked l cross join lateral (
        select * from ${postgresSchema}.${VIEW} v
        where v.is_source = ${isSource} and v.of_chain = l.chain_id and v.of_order = l.order_id offset 0
      ) v
      on conflict (order_id, is_source, build) do nothing
    )
    select chain_id as "chainId", order_id as "orderId" from locked
    order by chain_id desc, order_id desc limit 1`,
    [after.chainId, after.orderId],
  )
  return last
}

/** Ends the copies of all builds that are neither served nor about to be. Their triggers go, then their rows. */
export async function endOldCopies(sql: Sql) {
  const old = await sql<{ schema: string }[]>`
    select distinct n.nspname as schema from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where t.tgname = ${HEAD_TRIGGER} and not exists (
      select from app.index_build b where b.postgres_schema = n.nspname and b.state <> 'retired')`
  for (const { schema } of old)
    await sql.unsafe(`drop function ${schema}._copy_head cascade;
    drop function ${schema}._copy_side cascade`)
  const kept = sql`select id from app.index_build where state <> 'retired'`
  await sql`delete from read.index_head where build not in (${kept})`
  await sql`delete from read.transit_side where build not in (${kept})`
}

/** A row of a served build whose copy is missing or differs, or a copy without its row. */
export type DifferentSide = { chainId: number; orderId: string; isSource: boolean; what: string }

/** Compares the copy with the tables of the served builds, in one snapshot. Reads all rows of both. */
export async function compareSides(sql: Sql): Promise<DifferentSide[]> {
  return sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const builds = await snapshot<{ schema: string; ids: number[] }[]>`
      select postgres_schema as schema, array_agg(id) as ids from app.index_build
      where state = 'served' group by 1`
    const different: DifferentSide[] = []
    for (const { schema, ids } of builds) {
      const rows = await snapshot.unsafe<DifferentSide[]>(
        `select coalesce(f.chain_id, c.chain_id) as "chainId", '0x' || encode(order_id, 'hex') as "orderId",
          is_source as "isSource",
          case when c.order_id is null then 'not copied' when f.order_id is null then 'copied, but no fact'
            else 'copied differently' end as what
        from (select * from ${schema}.${VIEW} where build = any($1)) f
        full join (select * from read.transit_side where build = any($1)) c
          using (order_id, is_source, build)
        where c.order_id is null or f.order_id is null
          or row(${COPIED.map((name) => `f.${name}::text`).join()})
            is distinct from row(${COPIED.map((name) => `c.${name}::text`).join()})`,
        [ids],
      )
      different.push(...rows)
    }
    return different
  })
}

const HEAD_TRIGGER = 'causeway_copy_head'

/** The views, functions and triggers of a build. Any of them may be there already. */
async function definitions(sql: ISql, postgresSchema: string): Promise<string[]> {
  const chains = await sql<{ id: number; chainId: number }[]>`
    select id, chain_id as "chainId" from app.index_build where postgres_schema = ${postgresSchema}`
  const build = `case r.chain_id ${chains
    .map(({ id, chainId }) => `when ${chainId} then ${id}`)
    .join(' ')} end`
  const sides = await Promise.all(
    SIDES.map(async (side) => {
      const columns = await sql<Column[]>`
        select column_name as name, udt_name as type from information_schema.columns
        where table_schema = ${postgresSchema} and table_name = ${side.table} order by ordinal_position`
      return sideSelect(`${postgresSchema}.${side.table}`, { ...side, build, columns })
    }),
  )
  const inserted = `insert into read.transit_side (${COPIED.join()})
    select ${COPIED.join()} from ${postgresSchema}.${VIEW}
    where is_source = tg_argv[0]::boolean and of_chain = new.chain_id and of_order = new.order_id
    on conflict (order_id, is_source, build) do update
    set ${COPIED.map((name) => `${name} = excluded.${name}`).join()}`
  return [
    `create or replace view ${postgresSchema}.${VIEW} as ${sides.join(' union all ')}`,
    `create or replace function ${postgresSchema}._copy_side() returns trigger language plpgsql as $$ begin
      if tg_op <> 'DELETE' then ${inserted};
      else delete from read.transit_side r
        where r.order_id = ${bytes('old.order_id')} and r.is_source = tg_argv[0]::boolean
          and r.build = ${build.replace('r.chain_id', 'old.chain_id')};
      end if;
      return null;
    end $$`,
    ...SIDES.map(
      ({ table, isSource }) => `
        create or replace trigger causeway_copy_side after insert or update or delete on ${postgresSchema}.${table}
        for each row execute function ${postgresSchema}._copy_side(${isSource})`,
    ),
    `create or replace function ${postgresSchema}._copy_head() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then
        delete from read.index_head r where r.build = ${build.replace('r.chain_id', 'old.chain_id')};
      else
        ${headInsert(postgresSchema)} where r.chain_id = new.chain_id
        on conflict (build) do update set ${HEAD.map((name) => `${name} = excluded.${name}`).join()};
      end if;
      return null;
    end $$`,
    `create or replace trigger ${HEAD_TRIGGER} after insert or update or delete on ${postgresSchema}.chain_head
      for each row execute function ${postgresSchema}._copy_head()`,
  ]
}

function headInsert(postgresSchema: string): string {
  return `insert into read.index_head (build, ${HEAD.join()})
    select b.id, ${HEAD.map((name) => `r.${name}`).join()}
    from ${postgresSchema}.chain_head r
    join app.index_build b on b.postgres_schema = '${postgresSchema}' and b.chain_id = r.chain_id`
}

type SideOptions = (typeof SIDES)[number] & { build: string; columns: Column[] }

function sideSelect(from: string, side: SideOptions): string {
  const facts = side.columns.map(
    ({ name, type }) => `'${camelCase(name)}', r.${name}${asText(type)}`,
  )
  return `select r.chain_id as of_chain, r.order_id as of_order,
    ${bytes('r.order_id')} as order_id, ${side.isSource} as is_source, ${side.build} as build, r.chain_id,
    r.block_timestamp as created_at, ${bytes(side.user)} as user_address, ${bytes(side.receiver)} as receiver,
    ${bytes(side.code)} as distributor_code,
    array(select ${bytes('hash')} from unnest(${side.transactions}) hash order by hash) as transactions,
    json_build_object(${facts.join()}) as facts
    from ${from} r`
}

/** The bytes of a hash or an address that is text like `0x…`. */
function bytes(text: string): string {
  return `decode(substr(${text}, 3), 'hex')`
}

/** JSON readers lose digits of large numbers. */
function asText(type: string): string {
  return type === 'numeric' ? '::text' : ''
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
