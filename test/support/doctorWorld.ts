import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { expect } from 'vitest'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import type { Line } from '../../cli/doctor/line.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import { devnetClient } from '../../devnet/world.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld } from './anvils.ts'
import { freePorts } from './freePorts.ts'
import { createTestDatabase } from './postgres.ts'

export const SECRET = 'ab'.repeat(32)
export const OTHER_SECRET = 'cd'.repeat(32)
export const OTHER_KEY = `0x${'11'.repeat(32)}`

type Measures = Parameters<typeof diagnose>[1]

export type DoctorWorld = {
  /** A configuration without an error. */
  sound: NodeJS.ProcessEnv
  /** Connections to the database of `sound`. */
  sql: Sql<{ bigint: bigint }>
  folder: string
  /** A port on which nothing listens. */
  freePort: number
  /** The doctor judges the age of heads, and these chains mine only what they are sent. */
  mine(): Promise<void>
  /** Returns the path of a changed copy of the address book. */
  writeBook(name: string, change: (book: AddressBookFile) => object): Promise<string>
  /** An enabled endpoint of a new organization. Returns its id. */
  insertEndpoint(url: string): Promise<string>
  /** The warnings and errors that changed variables cause beside those of `sound`. */
  newLines(changed: NodeJS.ProcessEnv, measures?: Measures): Promise<Line[]>
  /** Expects a new line for each pattern, and a mend with each new line. */
  expectFound(changed: NodeJS.ProcessEnv, wanted: RegExp[]): Promise<void>
  stop(): Promise<void>
}

/** Two chains with vaults, a database without an index, and a sound configuration of both. */
export async function startDoctorWorld(): Promise<DoctorWorld> {
  const started = await startTestWorld([1, 4663], { withVaults: true })
  const database = await createTestDatabase()
  const sql = connect(database.url, { applicationName: 'doctor-test', max: 1 })
  const folder = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
  const [freePort = 0] = await freePorts(1)
  const { rpcUrls } = started.world

  async function writeBook(name: string, change: (book: AddressBookFile) => object) {
    const path = join(folder, `${name}.json`)
    await writeFile(path, JSON.stringify(change(structuredClone(started.addressBook))))
    return path
  }

  const sound: NodeJS.ProcessEnv = {
    DATABASE_URL: database.url,
    ADDRESS_BOOK: await writeBook('sound', (book) => book),
    APP_SECRET: SECRET,
    SECRETS_KEY: OTHER_SECRET,
    QUOTE_SIGNER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY,
    SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
    NODE_ENV: 'production',
    ...Object.fromEntries(
      [1, 4663].flatMap((id) => [
        [`RPC_URL_${id}`, rpcUrls[id]],
        [`WS_URL_${id}`, started.wsUrls[id]],
      ]),
    ),
  }
  let usual: Set<string> | undefined

  async function newLines(changed: NodeJS.ProcessEnv, measures?: Measures) {
    usual ??= new Set((await diagnose(sound)).map(textOf))
    const found = await diagnose({ ...sound, ...changed }, measures)
    return found.filter((line) => line.level !== 'ok' && !usual?.has(textOf(line)))
  }

  return {
    sound,
    sql,
    folder,
    freePort,
    async mine() {
      const nodes = [1, 4663].map((id) => devnetClient(id, rpcUrls[id] ?? ''))
      await Promise.all(nodes.map((node) => node.mine({ blocks: 1 })))
    },
    writeBook,
    async insertEndpoint(url) {
      const [organization] = await sql<{ id: string }[]>`
        insert into app.organization (name) values (${url}) returning id`
      const [endpoint] = await sql<{ id: string }[]>`
        insert into app.webhook_endpoint (organization_id, url, event_types)
        values (${organization?.id ?? ''}, ${url}, '{*}') returning id`
      return endpoint?.id ?? ''
    },
    newLines,
    async expectFound(changed, wanted) {
      const found = await newLines(changed)
      for (const one of wanted)
        expect(found.map(textOf)).toEqual(expect.arrayContaining([expect.stringMatching(one)]))
      for (const { advice } of found) expect(advice).toMatch(/\S/)
    },
    async stop() {
      await sql.end()
      await started.stop()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

export function textOf({ level, check, message }: Line): string {
  return `${level} ${check}: ${message}`
}
