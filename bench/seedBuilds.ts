import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Build, registerBuild, serveBuild } from '../db/indexBuilds.ts'
import { createReadIndexes } from '../db/readIndexes.ts'
import { beginCopy } from '../db/transitSides.ts'
import { type AddressBookFile, parseAddressBook } from '../domain/addressBook/addressBook.ts'
import { startTestAnvils } from '../test/support/anvils.ts'
import { startTestIndexer } from '../test/support/indexer.ts'
import { benchAddressBook, benchChains } from './benchChains.ts'

/** One chain's build, with the statements that insert its rows into a Postgres schema. */
export type SeededChain = {
  id: number
  headBlock: number
  inserts: ((postgresSchema: string) => string)[]
}

export type SeedOptions = {
  databaseUrl: string
  /** Contains the chains. */
  addressBook: AddressBookFile
  chains: SeededChain[]
}

const SEEDED_HASH = '5eed5eed5eed'
const TABLES_MS = 40_000

/**
 * Makes one build per chain and serves them, like indexers do: Ponder's own tables, rows by SQL, then the
 * usual steps of a build.
 */
export async function seedBuilds(sql: Sql, { databaseUrl, addressBook, chains }: SeedOptions) {
  const ponderSchema = await letPonderMakeTables(sql, databaseUrl)
  await serveSeeded(sql, { ponderSchema, addressBook, builds: chains.map((chain) => [chain]) })
}

type Seeding = Pick<SeedOptions, 'addressBook'> & {
  /** The chains of each build, which is named after the first. */
  builds: SeededChain[][]
  /** The Postgres schema whose tables are copied. */
  ponderSchema: string
}

/** The Postgres schema of a chain that was seeded. */
export function seededSchema(chainId: number): string {
  return `index_${chainId}_${SEEDED_HASH}`
}

/** Makes and serves builds. */
export async function serveSeeded(sql: Sql, { ponderSchema, addressBook, builds }: Seeding) {
  const book = parseAddressBook(addressBook, 'bench')
  await Promise.all(
    builds.map(async (chains) => {
      const chainIds = chains.map(({ id }) => id)
      const postgresSchema = seededSchema(chainIds[0] ?? 0)
      const build: Build = { postgresSchema, chainIds, buildHash: SEEDED_HASH }
      await fillBuild(sql, { ponderSchema, postgresSchema, chains })
      await registerBuild(sql, build)
      await createReadIndexes(sql, build.postgresSchema)
      await beginCopy(sql, build.postgresSchema)
      await serveBuild(sql, build, book.chains)
    }),
  )
  // Else autovacuum would do it, in the middle of a measurement.
  await sql.unsafe('vacuum (analyze) read.transit_side')
}

/** The Postgres schema that the real indexer made over empty nodes. */
async function letPonderMakeTables(sql: Sql, databaseUrl: string): Promise<string> {
  const chainIds = benchChains.map(({ id }) => id)
  const { rpcUrls, wsUrls, stop } = await startTestAnvils(chainIds)
  const addressBook = benchAddressBook
  const indexer = await startTestIndexer({ databaseUrl, addressBook, chainIds, rpcUrls, wsUrls })
  try {
    for (const deadline = Date.now() + TABLES_MS; Date.now() < deadline; await sleep(100)) {
      const [made] = await sql<{ schema: string }[]>`
        select n.nspname as schema from app.index_build b
        join pg_namespace n on n.nspname = b.postgres_schema
        join pg_class c on c.relnamespace = n.oid and c.relname = '_ponder_checkpoint'`
      if (made) return made.schema
    }
    throw new Error(`The indexer made no tables:\n${indexer.output()}`)
  } finally {
    await indexer.stop()
    await stop()
  }
}

type Filling = { ponderSchema: string; postgresSchema: string; chains: SeededChain[] }

async function fillBuild(sql: Sql, { ponderSchema, postgresSchema, chains }: Filling) {
  await copyTables(sql, ponderSchema, postgresSchema)
  const start = '0'.repeat(75)
  for (const { id, inserts } of chains) {
    await sql`
      insert into ${sql(postgresSchema)}._ponder_checkpoint
      values (${String(id)}, ${id}, ${start}, ${start}, ${start})`
    for (const insert of inserts) await sql.unsafe(insert(postgresSchema))
  }
  await addPrimaryKeys(sql, ponderSchema, postgresSchema)
  for (const { id, headBlock } of chains)
    await sql`
      insert into app.index_high_water (chain_id, block_number) values (${id}, ${headBlock})`
}

/** Copies tables without keys: to add them to full tables takes a tenth of the time. */
async function copyTables(sql: Sql, from: string, to: string) {
  const tables = await sql<{ table: string }[]>`
    select relname as table from pg_class
    where relnamespace = ${from}::regnamespace and relkind = 'r' and relname not like '\\_reorg\\_%'`
  await sql.unsafe(`create schema ${to}`)
  for (const { table } of tables)
    await sql.unsafe(`create table ${to}.${table} (like ${from}.${table} including defaults)`)
  await sql.unsafe(`insert into ${to}._ponder_meta
    select key, jsonb_set(value, '{is_ready}', '1') from ${from}._ponder_meta`)
}

async function addPrimaryKeys(sql: Sql, from: string, to: string) {
  const keys = await sql<{ table: string; key: string }[]>`
    select c.relname as table, pg_get_constraintdef(k.oid) as key
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.connamespace = ${from}::regnamespace and k.contype = 'p'
      and c.relname not like '\\_reorg\\_%'`
  for (const { table, key } of keys) {
    await sql.unsafe(`alter table ${to}.${table} add ${key}`)
    // Else autovacuum would do it, in the middle of a measurement.
    await sql.unsafe(`vacuum (analyze) ${to}.${table}`)
  }
}
