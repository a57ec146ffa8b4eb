import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { devnetUserKeys, userAt } from '../../devnet/accounts.ts'
import { writeRunFile } from '../../processes/start/runFile.ts'
import { keyOf } from '../support/ask.ts'
import { shellBlocks } from '../support/pasteShell.ts'
import { payOpenOrder } from '../support/payOpenOrder.ts'
import type { TestProduct } from '../support/product.ts'
import { readmePrograms } from '../support/readmePrograms.ts'
import type { StrangersProject } from '../support/strangersProject.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'
import { runFileOf } from './sdkTesting.ts'

const root = join(import.meta.dirname, '../..')
const programs = await readmePrograms()
/** What README.md shows below its program. */
const [, SHOWN = ''] =
  /```ts\n.*?```\n\n```\n(.*?)```/s.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
const FIGURES = /\d+(?=n\b)/g
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

/** The blocks of sdk/README.md in the order of the page, then the one of README.md, and what each prints. */
const PRINTED: [string, RegExp][] = [
  ['transit.send(', /^SUBMITTED\nBRIDGED\nRECEIVED\nEXECUTED\nPROCESSED\n$/],
  ['transit.wait(', /^PROCESSED \d+n\n$/],
  ['earn.deposit(', /^deposited in 0x\w+ for \d+n shares\n$/],
  ['earn.depositFrom(', /^(DEPOSITED|FINALIZED) \d+n shares\n$/],
  ['earn.withdraw(', /^queued as 1:0x\w+:\d+ at position \d+\n$/],
  ['earn.cancel(', /^$/],
  [
    'checkCall(',
    /^Deposit 100 USDC into Harbor Dollar on Ethereum\. 0x\w+ gets at least [\d.]+ shares\.\nWRONG_RECEIVER\n$/,
  ],
  ['earn.vaults(', /\d+ (null|\S+)\n$/],
  ['BELOW_MIN_ORDER_SIZE', /^at least \d+\n$/],
  ['onResponse', /^getReady 200 \d+ 1\n/],
  ['listTransitOrders(', /^PROCESSED\n/],
  ['fetchWebhookHandler({', /^ping of the readme\n204\n$/],
  ['connectLocalWorld(', /^VAULT_PAUSED\ndeposited for \d+n shares\n$/],
  ['...offer, ...want', new RegExp(`^${SHOWN.replaceAll(FIGURES, '\\d+')}$`)],
]
/** The blocks that send an order to another chain, where it has to be paid. */
const ORDERING = ['transit.send(', '...offer, ...want']

/** The keeper of the product, until the test ends. */
function startKeeper({ databaseUrl, indexer, world: { rpcUrls } }: TestProduct) {
  const appSecret = randomBytes(32).toString('hex')
  const { addressBook } = indexer
  const worker = startWorkerProcess({ databaseUrl, addressBook, rpcUrls, appSecret })
  onTestFinished(worker.stop)
}

/** Runs the README of the SDK as it stands, in a project that has the packed package, against a whole product. */
export function testSdkReadme(product: () => TestProduct, project: () => StrangersProject) {
  describe('sdk/README.md', () => {
    beforeAll(async () => {
      writeRunFile(project().folder, runFileOf(product()))
      for (const { file, block, text } of programs) {
        const [, call = ''] = CALLS.find(([mark]) => block.includes(mark)) ?? []
        await project().write(file, `${text}\n${call}\n`)
      }
    })

    test('default: every block has an expectation', () => {
      expect(programs).toHaveLength(PRINTED.length)
    })

    test('behavior: the first order of docs/quickstart.md', async () => {
      const [block = ''] = await shellBlocks('quickstart.md')
      const [, program = ''] = /<<'EOS'\n(.*)\nEOS$/s.exec(block) ?? []
      const { folder, write, run } = project()
      await mkdir(join(folder, '.causeway'))
      writeRunFile(join(folder, '.causeway'), runFileOf(product()))
      await write('quickstart.mjs', program)
      const printed = run('quickstart.mjs')
      await Promise.race([printed, payOpenOrder(product(), user)])
      expect(await printed).toMatch(/^PROCESSED \d+n\n$/)
    })

    test('behavior: the figures of README.md are those of docs/examples', () => {
      const { body } = JSON.parse(
        readFileSync(join(root, 'docs/examples/getOrderQuote.json'), 'utf8'),
      ) as { body: { amountOut: string; totalFees: string } }
      expect(SHOWN.match(FIGURES)).toEqual([body.amountOut, body.totalFees])
    })

    test('behavior: an order and a deposit are at most 15 lines', () => {
      for (const mark of ['transit.send(', 'earn.deposit(']) {
        const program = programs.find(({ block }) => block.includes(mark))
        expect(program?.block.trim().split('\n').length).toBeLessThanOrEqual(15)
      }
    })

    test('behavior: a deposit from anywhere, to its shares, is at most 12 lines', () => {
      const program = programs.find(({ block }) => block.includes('earn.depositFrom('))
      expect(program?.block.trim().split('\n').length).toBeLessThanOrEqual(12)
    })

    test.each(PRINTED)('behavior: the block of %s', async (mark, printed) => {
      const program = programs.find(({ block }) => block.includes(mark))
      const running = project().run(program?.file ?? '', {
        PRIVATE_KEY: devnetUserKeys()[0]?.privateKey ?? '',
        RPC_URL: product().world.rpcUrls[1] ?? '',
        CAUSEWAY_URL: product().url,
        CAUSEWAY_API_KEY: keyOf(product().url) ?? '',
        SHIELD_BOOK: product().shieldBookFile,
        SHIELD_SIGNER: product().shield.signers[0] ?? '',
        CAUSEWAY_RUN_FILE: join(project().folder, 'run.json'),
        WEBHOOK_SECRETS: `whsec_${'A'.repeat(32)},${SECRET}`,
      })
      if (ORDERING.includes(mark)) await Promise.race([running, payOpenOrder(product(), user)])
      if (mark === 'earn.depositFrom(') {
        startKeeper(product())
        await Promise.race([running, payOpenOrder(product(), user, 1)])
      }
      expect(await running).toMatch(printed)
    })
  })
}
