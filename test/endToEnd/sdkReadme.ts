import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devnetUserKeys, userAt } from '../../devnet/accounts.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import { installSdk } from '../support/installSdk.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'
import { readmePrograms } from '../support/readmePrograms.ts'
import { createStrangersProject, type StrangersProject } from '../support/strangersProject.ts'

const programs = await readmePrograms()
const user = userAt(0)

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const PING = JSON.stringify({ id: 'evt_1', type: 'ping', endpoint_id: 'of the readme' })
const signed = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
  'webhook-signature': new Webhook(SECRET).sign('evt_1', new Date(), PING),
}
/** A call for each block that only defines a function, so that the test runs it. */
const CALLS: [string, string][] = [
  [
    'fetchWebhookHandler({',
    `console.log((await POST(new Request('http://x', { method: 'POST', headers: ${JSON.stringify(signed)}, body: ${JSON.stringify(PING)} }))).status)`,
  ],
]

/** The blocks of sdk/README.md in the order of the page, and what each prints. */
const PRINTED: [string, RegExp][] = [
  ['transit.send(', /^SUBMITTED\nRECEIVED\nEXECUTED\nPROCESSED\n$/],
  ['transit.wait(', /^PROCESSED \d+n\n$/],
  ['earn.deposit(', /^deposited in 0x\w+ for \d+n shares\n$/],
  ['earn.withdraw(', /^queued as 1:0x\w+:\d+ at position \d+\n$/],
  ['earn.vaults(', /\d+ (null|\S+)\n$/],
  ['BELOW_MIN_ORDER_SIZE', /^at least \d+\n$/],
  ['onResponse', /^getReady 200 \d+ 1\n/],
  ['listTransitOrders(', /^PROCESSED\n/],
  ['fetchWebhookHandler({', /^ping of the readme\n204\n$/],
]

/** Runs the README of the SDK as it stands, with the packed package, against a whole product. */
export function testSdkReadme(product: () => TestProduct) {
  describe('sdk/README.md', () => {
    let project: StrangersProject
    beforeAll(async () => {
      project = await createStrangersProject()
      await installSdk(project.folder)
      for (const { file, block, text } of programs) {
        const [, call = ''] = CALLS.find(([mark]) => block.includes(mark)) ?? []
        await project.write(file, `${text}\n${call}\n`)
      }
    })
    afterAll(() => project?.[Symbol.asyncDispose]())

    test('default: every block has an expectation', () => {
      expect(programs).toHaveLength(PRINTED.length)
    })

    test('behavior: an order and a deposit are at most 15 lines', () => {
      for (const mark of ['transit.send(', 'earn.deposit(']) {
        const program = programs.find(({ block }) => block.includes(mark))
        expect(program?.block.trim().split('\n').length).toBeLessThanOrEqual(15)
      }
    })

    test.each(PRINTED)('behavior: the block of %s', { timeout: 60_000 }, async (mark, printed) => {
      const program = programs.find(({ block }) => block.includes(mark))
      const running = project.run(program?.file ?? '', {
        PRIVATE_KEY: devnetUserKeys()[0]?.privateKey ?? '',
        RPC_URL: product().world.rpcUrls[1] ?? '',
        CAUSEWAY_URL: product().url,
        CAUSEWAY_API_KEY: keyOf(product().url) ?? '',
        WEBHOOK_SECRETS: `whsec_${'A'.repeat(32)},${SECRET}`,
      })
      if (mark === 'transit.send(') await Promise.race([running, deliver(product())])
      expect(await running).toMatch(printed)
    })
  })
}

/** Pays the order of the README's user, as the operators of the stations do. */
async function deliver({ url, world }: TestProduct) {
  const { transit } = createCausewayClient({ url })
  const open = () =>
    transit.orders({ userAddress: user.address, filter: { status: 'PENDING_BRIDGE' } }).take(1)
  await expect.poll(open, { timeout: 20_000 }).toHaveLength(1)
  const [order] = await open()
  if (!order) throw new Error('no order')
  const target = { orderId: order.id, from: 1, to: 4663, want: 'USDG' } as const
  await ORDER_STEPS.deliver(world, target)
  await ORDER_STEPS.execute(world, target)
}
