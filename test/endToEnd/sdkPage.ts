import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeRunFile } from '../../processes/start/runFile.ts'
import { examples, importsOf } from '../support/clientExamples.ts'
import type { TestProduct } from '../support/product.ts'
import type { StrangersProject } from '../support/strangersProject.ts'
import { runFileOf } from './sdkTesting.ts'

/** The examples that read: those that change, prepare, send, follow or render are compiled only. */
const READS = examples.filter((code) =>
  /await (list|get|calculate|runGraphql|queryClient|openBook)|= create(Connection|CausewayClient)|^writeFilter/.test(
    code,
  ),
)

/** Makes or finds what the examples name. `missing` are the names of which the world has none. */
const SETUP = `
import { connectLocalWorld } from '@causeway/sdk/testing'
import { QueryClient } from '@tanstack/react-query'

const world = await connectLocalWorld(process.env.RUN_FILE)
const connection = world.causeway
const shield = connection.shield
const queryClient = new QueryClient()
const account = world.accounts.at(-1) // Its orders stay open, which other tests would pay.
const USDC = '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3', USDG = '0x69e033B6Da21D3DC7e4f1684081901712032c3C8'
const vault = { chainId: 1, vaultAddress: '0xA5Cd860776d8803C9CcEb805E2Af1c2beAc3a0DA' }
const wish = { userAddress: account.address, sourceChainId: 1, offerAsset: USDC, offerAmount: 2_000_000_000n, destinationChainId: 4663, wantAsset: USDG }
const missing = []
async function first(name, rows, idOf) {
  const [row] = await rows.take(1)
  if (row) return idOf(row)
  missing.push(name)
  return '0x' + '11'.repeat(32)
}
const wallets = world.wallets({ chainId: 1, account })
const { id: orderId, hash: txHash } = await connection.transit.send({ ...wallets, quote: await connection.transit.quote(wish) })
const from = { chainId: 1, asset: USDC }
const deposit = { ...vault, sourceChainId: 1, sourceAsset: USDC, depositAsset: USDG, depositAmount: 100_000_000n, userAddress: account.address }
const journey = { ...vault, from, depositAsset: USDG, depositAmount: 100_000_000n, minimumAmountOut: 99_000_000n }
const { id: journeyId } = await connection.earn.depositFrom({ ...wallets, ...journey })
for (const id of [orderId, journeyId]) await connection.transit.wait(id, { until: 'SUBMITTED' })
const depositId = await first('depositId', connection.smartDeposits.deposits(), (row) => row.depositId)
const withdrawalRequestId = await first('withdrawalRequestId', connection.earn.withdrawalRequests(), (row) => row.id)
const { endpoint } = await connection.webhooks.create({ url: 'http://127.0.0.1:4100/', eventTypes: ['smart_deposit.*'] })
const endpointId = endpoint.id
const eventId = await first('eventId', connection.webhooks.deliveries({ endpointId }), (row) => row.eventId)
const publicId = await first('publicId', connection.access.keys(), (row) => row.publicId)
const organizationId = await first('organizationId', connection.admin.organizations(), (row) => row.id)
const refused = []
async function attempt(code, run) {
  try {
    await run()
  } catch (error) {
    refused.push([code, error.reason ?? String(error)])
  }
}
`

/** The answers to what a new world lacks. */
const LACKING = ['REHEARSAL_NOT_FOUND', 'WEBHOOK_REPLAY_NOT_FOUND']

type Printed = { missing: string[]; refused: [code: string, reason: string][] }

/** Runs the examples of docs/client.md that read, with the packed package, against a whole product. */
export function testSdkPage(product: () => TestProduct, project: () => StrangersProject) {
  describe('docs/client.md', () => {
    test('default: every example that reads is answered', async () => {
      const { folder, write, run } = project()
      writeRunFile(folder, runFileOf(product()))
      const attempts = READS.map(
        (code) => `await attempt(${JSON.stringify(code)}, async () => {\n${code}\n})\n`,
      )
      const printed = `await connection.webhooks.delete({ endpointId })
        console.log(JSON.stringify({ missing, refused }))\n`
      await write('page.ts', [importsOf(READS), SETUP, ...attempts, printed].join(''))
      const { missing, refused }: Printed = JSON.parse(
        await run('page.ts', { RUN_FILE: join(folder, 'run.json') }),
      )
      expect(READS.length).toBeGreaterThan(100)
      expect(['depositId', 'eventId', 'withdrawalRequestId']).toEqual(
        expect.arrayContaining(missing),
      )
      const unexpected = refused.filter(
        ([code, reason]) =>
          !LACKING.includes(reason) &&
          !(reason.endsWith('_NOT_FOUND') && missing.some((name) => code.includes(name))),
      )
      expect(unexpected).toEqual([])
    })
  })
}
