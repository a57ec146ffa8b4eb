import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../db/sql.ts'
import { testAddressBook } from './addressBook.ts'
import { type ApiProcess, startApiProcess, untilReady } from './apiProcess.ts'
import { freePorts } from './freePorts.ts'
import { insertOrder, orderRow } from './insertOrder.ts'

export type Replica = ApiProcess & { port: number }

export type ApiReplicas = {
  /** In the order of their start; one that restarts keeps its place and its port. */
  replicas: Replica[]
  restart(index: number): Promise<void>
  /** The path of an order in their index. */
  orderPath: string
  appSecret: string
  stop(): Promise<void>
}

/** The variables of one process, beyond those that every test needs. */
type Variables = Record<string, string>

/** Real api processes over one database of the index template; no chain answers. */
export async function startApiReplicas(
  databaseUrl: string,
  variables: Variables[],
): Promise<ApiReplicas> {
  const row = orderRow()
  const sql = connect(databaseUrl, { applicationName: 'test-setup', max: 1 })
  await insertOrder(sql, row)
  await sql.end()

  const folder = await mkdtemp(join(tmpdir(), 'causeway-replicas-'))
  const addressBook = join(folder, 'address-book.json')
  await writeFile(addressBook, JSON.stringify(testAddressBook))
  const appSecret = randomBytes(32).toString('hex')
  const rpcUrls = Object.fromEntries(
    testAddressBook.chains.map(({ id }) => [id, 'http://127.0.0.1:1']),
  )
  const start = async (port: number, index: number): Promise<Replica> => {
    const api = await startApiProcess({
      databaseUrl,
      addressBook,
      rpcUrls,
      appSecret,
      port,
      variables: variables[index] ?? {},
    })
    await untilReady(api)
    return { ...api, port }
  }
  const replicas = await Promise.all((await freePorts(variables.length)).map(start))
  return {
    replicas,
    async restart(index) {
      const old = replicas[index]
      if (!old) throw new Error(`there is no replica ${index}`)
      await old.stop()
      replicas[index] = await start(old.port, index)
    },
    orderPath: `/v1/transit/orders/${row.id}`,
    appSecret,
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await rm(folder, { recursive: true })
    },
  }
}
