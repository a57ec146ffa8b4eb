import { exec } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Line } from '../../cli/doctor/line.ts'
import { runDoctor } from '../../cli/doctor/runDoctor.ts'
import { listProcesses } from '../../devnet/processTable.ts'
import {
  ordersOnChain,
  placeOrder,
  readHeads,
  untilIndexEqualsChain,
} from '../start/productChecks.ts'
import {
  createProductFolder,
  launchProduct,
  leftovers,
  modeOf,
  type Product,
  type ProductFolder,
  startProduct,
} from '../start/startedProduct.ts'
import { endedCommand } from '../support/endedCommand.ts'

const shell = promisify(exec)
const STOP_MS = 20_000

/** The members of lists that this file looks at. */
type Listed = {
  apy: string
  status: string
  sourceChainId: number
  destinationChainId: number
  createdAt: string
  estimatedLatencyMs: number | null
}

type SyncedChain = { chainId: number; isSynced: boolean }

let folder: ProductFolder
let product: Product

/** One world through its life: started, stopped, killed and started again, stopped while parts hang. */
describe('npm start', () => {
  beforeAll(async () => {
    folder = await createProductFolder()
    product = await startProduct(folder)
  })
  afterAll(async () => {
    product?.process.kill('SIGTERM')
    await product?.ended
    await folder.remove()
  })

  test('default', async () => {
    const { run } = product
    expect(await modeOf(join(folder.dataDirectory, 'run.json'))).toBe(0o600)
    expect(run.consoleUrl).toBe(`${run.apiUrl}/console`)
    expect(run.graphqlUrl).toBe(`${run.apiUrl}/graphql`)
    expect(Object.keys(run.rpcUrls)).toEqual(['1', '999', '2201', '4663', '8453', '11155111'])
    expect(run.accounts.length).toBeGreaterThan(0)
    expect(Object.keys(run.pids)).toEqual(
      expect.arrayContaining(['start', 'postgres', 'anvil-1', 'api', 'bots']),
    )
    const curls = product.output().match(/^ {2}curl .*$/gm) ?? []
    const [order, list, routes, earn, graphql] = await Promise.all(curls.map(pasted))
    const id = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    expect(order).toMatchObject({ order: { id } })
    expect(list).toMatchObject({ orders: [{ id }, { id }] })
    expect(routes).toMatchObject({ routes: [{ sourceChainId: expect.any(Number) }] })
    const boringVaultAddress = expect.stringMatching(/^0x/)
    expect(earn).toMatchObject({
      vaults: [
        { deployments: expect.arrayContaining([expect.objectContaining({ boringVaultAddress })]) },
      ],
    })
    expect(product.output()).toContain(`http://127.0.0.1:${folder.environment.ATTESTATION_PORT}`)
    const { data } = graphql as { data: { _meta: { chains: SyncedChain[] } } }
    const { chains } = data._meta
    const synced = chains.filter(({ isSynced }) => isSynced).map(({ chainId }) => chainId)
    expect(synced.sort((a, b) => a - b)).toEqual([1, 999, 2201, 4663, 8453, 11155111])
    expect((await fetch(`${run.apiUrl}/health`)).status).toBe(200)
  })

  test('behavior: the doctor without variables checks it, and has nothing to mend', async () => {
    let found: Line[] = []
    // Right after a start, a busy machine may be late with a block or an answer.
    await expect
      .poll(async () => {
        const { code, stdout } = await endedCommand(runDoctor, ['--json'], folder.environment)
        found = JSON.parse(stdout)
        // The disk is the machine's, and a transaction of the keeper may just wait for its block.
        const doubts = found.filter(
          ({ level, check, message }) =>
            level !== 'ok' && !check.startsWith('disk') && !message.includes('wait in the pool'),
        )
        return { code, doubts }
      })
      .toEqual({ code: 0, doubts: [] })
    expect(found[0]?.message).toBe(`the local start in ${folder.dataDirectory}`)
    const checks = found.map(({ check }) => check)
    expect(checks).toEqual(
      expect.arrayContaining(['index of chain 1', 'quote signer', 'keeper on chain 1']),
    )
  })

  test('behavior: a new world has six weeks of activity', async () => {
    const { apiUrl, apiKey, accounts } = product.run
    const list = async (name: string, path: string) => {
      const response = await fetch(`${apiUrl}${path}`, { headers: { 'x-api-key': apiKey } })
      return ((await response.json()) as Record<string, Listed[]>)[name] ?? []
    }
    const series = await list('vaultApys', '/v2/earn/vaultApys?interval=604800&pageSize=100')
    const apys = series.map(({ apy }) => Number(apy))
    expect(apys.some((apy) => apy > 2 && apy < 20)).toBe(true)
    expect(apys.some((apy) => apy < -5)).toBe(true)
    expect(apys).toContain(0)

    const ofUser = `/v1/transit/orders?userAddress=${accounts[0]?.address}&pageSize=100`
    const orders = await list('orders', ofUser)
    const ways = orders.map((order) => `${order.sourceChainId} ${order.destinationChainId}`)
    expect(new Set(ways)).toEqual(new Set(['1 4663', '4663 1', '1 1']))
    const oldest = Math.min(...orders.map(({ createdAt }) => Date.parse(createdAt)))
    expect(Date.now() - oldest).toBeGreaterThan(40 * 86_400_000)
    const routes = await list('routes', '/v1/transit/routes?pageSize=100')
    const latencies = routes.map(({ estimatedLatencyMs }) => estimatedLatencyMs ?? 0)
    expect(Math.max(...latencies)).toBeGreaterThan(30_000)

    const requests = await list('withdrawalRequests', '/v2/earn/withdrawalRequests?pageSize=100')
    expect(new Set(requests.map(({ status }) => status))).toEqual(
      new Set(['COMPLETE', 'PENDING', 'PENDING_REFUND', 'REFUNDED']),
    )
  })

  test('behavior: a second start on the same data is refused', async () => {
    const second = launchProduct(folder.environment)
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain('already runs here')
  })

  test('behavior: a later start after SIGTERM continues with the data', async () => {
    const before = product.run
    await placeOrder(product)
    await untilIndexEqualsChain(product)
    const heads = await readHeads(product)
    const orders = await ordersOnChain(product)
    product.process.kill('SIGTERM')
    await product.ended
    expect(await leftovers(folder, before)).toEqual([])

    product = await startProduct(folder)
    expect(product.run.apiKey).toBe(before.apiKey)
    const later = await readHeads(product)
    for (const [index, head] of heads.entries()) expect(later[index]).toBeGreaterThanOrEqual(head)
    expect(await ordersOnChain(product)).toEqual(expect.arrayContaining(orders))
    await untilIndexEqualsChain(product)
  })

  test('behavior: a later start ends what one that was killed alone left', async () => {
    const { start, ...others } = product.run.pids
    process.kill(others.api ?? Number.NaN, 'SIGSTOP')
    process.kill(start ?? Number.NaN, 'SIGKILL')
    await product.ended
    product = await startProduct(folder)
    const alive = new Set((await listProcesses()).map(({ pid }) => pid))
    expect(Object.values(others).filter((pid) => alive.has(pid))).toEqual([])
  })

  test('behavior: SIGTERM ends everything, parts that hang too', async () => {
    const { run } = product
    const hanging = Object.entries(run.pids).filter(([name]) =>
      /^(api|indexer-.*|anvil-1|postgres)$/.test(name),
    )
    expect(hanging.length).toBeGreaterThanOrEqual(4)
    for (const [, pid] of hanging) process.kill(pid, 'SIGSTOP')
    const startedAt = Date.now()
    product.process.kill('SIGTERM')
    await product.ended
    expect(Date.now() - startedAt).toBeLessThan(STOP_MS)
    expect(await leftovers(folder, run)).toEqual([])
  })
})

/**
 * The answer to a command of the table. A 503 is asked again, as docs/errors.md says: on a busy machine, the first read of a
 * node that has just started may take longer than a read may.
 */
async function pasted(line: string): Promise<unknown> {
  let answer: unknown
  await expect
    .poll(async () => {
      answer = JSON.parse((await shell(line)).stdout)
      return answer
    })
    .not.toMatchObject({ error: { code: 503 } })
  return answer
}
