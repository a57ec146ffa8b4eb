import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { HERMES_PACKAGES, runInHermes } from './hermesRuntime.ts'

/**
 * The runtimes that the packed client has to work in, beside the oldest Node and a browser: CommonJS, Jest, an edge runtime,
 * Bun, Deno and Hermes. The programs of the last three come from npm, for the system of CI only.
 */

export type Runtimes = {
  folder: string
  node: string
  run: (command: string, args: string[]) => string
  print: (line: string) => void
}

const JEST = 'jest@30.5.2'
const EDGE = '@edge-runtime/vm@5.0.0'
const BUN = '@oven/bun-linux-x64@1.4.5'
const DENO = '@deno/linux-x64-glibc@2.9.6'
const hasPrograms = process.platform === 'linux' && process.arch === 'x64'

export const RUNTIME_PACKAGES = [
  JEST,
  EDGE,
  ...(hasPrograms ? [BUN, DENO, ...HERMES_PACKAGES] : []),
]

/** Opens a signed book, checks two calls, verifies a webhook, and sends a request where nobody listens. */
const PROGRAM = `
async function use({ createCausewayClient, CausewayError }, { openBook, checkCall }, { verifyWebhook }, { Webhook }, { privateKeyToAccount }) {
  const operator = privateKeyToAccount('0x' + '01'.repeat(32))
  const [token, station, account] = ['11', '22', '33'].map((byte) => '0x' + byte.repeat(20))
  const now = Math.floor(Date.now() / 1000)
  const chain = { id: 1, name: 'Ethereum', smartDepositFactories: [], station: { address: station, eid: 1, quoteSigners: [], maxMessageFee: '0' } }
  const content = { format: 1, environment: 'PRODUCTION', issuedAt: now, expiresAt: now + 100, maxDeadlineSeconds: 7200, chains: [chain], tokens: [{ chainId: 1, address: token, symbol: 'USDC', decimals: 6 }], vaults: [] }
  const signature = await operator.signMessage({ message: JSON.stringify(content) })
  const book = await openBook({ book: { book: content, signature }, signers: [operator.address] })
  const intent = { kind: 'transit', account, sourceChainId: 1, offerAsset: token, offerAmount: 5000000n, destinationChainId: 1, wantAsset: token, receiver: account, minimumAmountOut: 1n }
  const approve = (spender) => checkCall(book, intent, { chainId: 1, to: token, value: 0n, data: '0x095ea7b3' + spender.slice(2).padStart(64, '0') + (5000000).toString(16).padStart(64, '0') })
  const { ok } = await approve(station)
  const refused = await approve(account).catch(({ reason }) => reason)
  const secret = 'whsec_' + 'AQ'.repeat(16)
  const body = JSON.stringify({ id: 'e', type: 'ping' })
  const at = new Date()
  const headers = { 'Webhook-Id': 'e', 'WEBHOOK-TIMESTAMP': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': new Webhook(secret).sign('e', at, body) }
  const { type } = verifyWebhook({ secrets: secret, headers, body })
  const client = createCausewayClient({ url: 'http://127.0.0.1:1', retry: { attempts: 1 } })
  const failed = await client.core.ready().catch((error) => error instanceof CausewayError && error.reason)
  return [ok, refused, type, failed].join(' ')
}
`
const EXPECTED =
  'Let the transit station take 5 USDC on Ethereum. WRONG_SPENDER ping CONNECTION_FAILED'
const MODULES = ['@causeway/sdk', '@causeway/sdk/shield', '@causeway/sdk/webhooks']
const ALL = [...MODULES, 'standardwebhooks', 'viem/accounts']

/** Runs the program everywhere. Throws where it prints something else. */
export async function checkRuntimes({ folder, node, run, print }: Runtimes): Promise<void> {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const imports = ALL.map((name, index) => `import * as m${index} from '${name}'`).join('\n')
  const given = ALL.map((_, index) => `m${index}`).join(', ')
  const required = ALL.map((name) => `require('${name}')`).join(', ')
  write('use.mjs', `${imports}\n${PROGRAM}\nuse(${given}).then((text) => console.log(text))\n`)
  write('use.cjs', `${PROGRAM}\nmodule.exports = () => use(${required})\n`)
  write('run.cjs', "require('./use.cjs')().then((text) => console.log(text))\n")
  const jest = `test('works', async () => expect(await require('./use.cjs')()).toBe('${EXPECTED}'))\n`
  write('use.test.cjs', jest)
  write('jest.config.cjs', "module.exports = { testMatch: ['**/*.test.cjs'] }\n")

  const expectText = (runtime: string, text: string) => {
    if (text.trim() !== EXPECTED) throw new Error(`${runtime} prints ${text}`)
    print(`works in ${runtime}`)
  }
  expectText('CommonJS', run(node, ['run.cjs']))
  run(process.execPath, ['node_modules/jest/bin/jest.js', '--silent'])
  print('works in Jest')
  expectText('the edge runtime', await runAtTheEdge(folder, imports, given))
  if (!hasPrograms)
    return print('not run in Bun, Deno and Hermes: their programs are for Linux on x64')
  expectText('Bun', run('node_modules/@oven/bun-linux-x64/bin/bun', ['use.mjs']))
  const deno = ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock', 'use.mjs']
  expectText('Deno', run('node_modules/@deno/linux-x64-glibc/deno', deno))
  const program = `${PROGRAM}\nuse(${given})`
  expectText('Hermes', await runInHermes({ folder, run, imports, program }))
}

type Edge = { EdgeVM: new () => { evaluate: (code: string) => Promise<string> } }

/** A bundle, because an edge runtime has no modules of Node. */
async function runAtTheEdge(folder: string, imports: string, given: string): Promise<string> {
  const input = join(folder, 'edge.mjs')
  writeFileSync(input, `${imports}\n${PROGRAM}\nglobalThis.used = use(${given})\n`)
  const bundle = await rolldown({ input, platform: 'browser', cwd: folder, logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false })
  await bundle.close()
  const file = join(folder, 'node_modules/@edge-runtime/vm/dist/index.js')
  const { EdgeVM }: Edge = await import(file).then((module) => module.default ?? module)
  return new EdgeVM().evaluate(`${output[0].code}\nglobalThis.used`)
}
