import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examples, importsOf } from '../support/clientExamples.ts'
import { installSdk } from '../support/installSdk.ts'
import { readmePrograms } from '../support/readmePrograms.ts'
import { createStrangersProject, type StrangersProject } from '../support/strangersProject.ts'

/** The package as `npm pack` makes it, in the project of somebody who installs it. */

let project: StrangersProject
let packed: string[]
beforeAll(async () => {
  project = await createStrangersProject()
  packed = await installSdk(project.folder)
})
afterAll(() => project?.[Symbol.asyncDispose]())

test('default: it has the built modules and their types, and nothing else', () => {
  expect(packed).toEqual(
    expect.arrayContaining(['package.json', 'README.md', 'dist/index.js', 'dist/cjs/index.d.ts']),
  )
  expect(
    packed.filter(
      (path) =>
        !/^(dist\/.+\.js|dist\/.+\.d\.ts|dist\/cjs\/package\.json|package\.json|README\.md)$/.test(
          path,
        ),
    ),
  ).toEqual([])
})

test('behavior: its types import nothing but its peers', async () => {
  const folder = join(project.folder, 'node_modules/@causeway/sdk')
  const { peerDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = packed.filter((path) => path.endsWith('.d.ts'))
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')))
  const imported = texts
    .flatMap((text) => [...text.matchAll(/(?:from |import\()["']([^."'][^"']*)["']/g)])
    .map(([, name = '']) => name.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1'))
    .filter((name) => !name.startsWith('node:'))
  const foreign = imported.filter((name) => !(name in peerDependencies))
  expect(imported.length).toBeGreaterThan(20)
  expect([...new Set(foreign)]).toEqual([])
})

test('behavior: what needs React in a browser says so to server components, and the index does not', async () => {
  const dist = join(project.folder, 'node_modules/@causeway/sdk/dist')
  for (const folder of ['react', 'cjs/react']) {
    const beginnings = ['hooks', 'createHooks', 'causewayContext', 'index'].map(async (name) => {
      const text = await readFile(join(dist, folder, `${name}.js`), 'utf8')
      return /^("use strict";\s*)?'use client'/.test(text)
    })
    expect(await Promise.all(beginnings)).toEqual([true, true, true, false])
  }
})

test.each([
  ['getTransitOrder alone', "export { createConnection, getTransitOrder } from '@causeway/sdk'", 4],
  ['the shield alone', "export * from '@causeway/sdk/shield'", 8],
  ['all of it', "export * from '@causeway/sdk'\nexport * from '@causeway/sdk/shield'", 28],
])('behavior: %s is small: %s in %i kB of gzip', async (_, program, kilobytes) => {
  await project.write('size.js', program)
  const bundle = await rolldown({ input: join(project.folder, 'size.js'), external: /^viem/ })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const size = gzipSync(output[0].code).length
  expect(size).toBeLessThanOrEqual(kilobytes * 1_024)
  expect(size).toBeGreaterThan(500)
})

const TYPED = `
import { CausewayError, createCausewayClient, type TransitStep, writeFilter } from '@causeway/sdk'

const causeway = createCausewayClient({ url: 'http://127.0.0.1:1', retry: { attempts: 1 } })
export async function amounts(orderId: \`0x\${string}\`): Promise<bigint> {
  const order = await causeway.transit.order({ orderId })
  const created: Date = order.createdAt
  return created ? order.amountDue : 0n
}
export async function open() {
  for await (const order of causeway.transit.orders({ filter: { status: ['PROCESSING'], sourceChain: { not: 1 } } }))
    if (order.status === 'PROCESSED') return order
  return null
}
export function shown(step: TransitStep): string {
  return step.step === 'EXECUTED' ? String(step.amount - step.remaining) : step.order.id
}
export function least(error: unknown): string | null {
  if (error instanceof CausewayError && error.reason === 'BELOW_MIN_ORDER_SIZE') return error.metadata.minOrderSize
  return error instanceof CausewayError && error.reason === 'TIMED_OUT' ? error.metadata.timeoutMs.toFixed() : null
}
export function mistakes(error: CausewayError, step: TransitStep, orderId: \`0x\${string}\`) {
  // @ts-expect-error The status does not exist.
  causeway.transit.orders({ filter: { status: ['DONE'] } })
  // @ts-expect-error The list has no such key.
  causeway.transit.orders({ filter: { sourceChainName: 1 } })
  // @ts-expect-error An absent value is not a filter.
  causeway.earn.vaults({ filter: { chainId: null } })
  // @ts-expect-error The parameter has another name.
  causeway.transit.order({ id: orderId })
  // @ts-expect-error The parameter is needed.
  causeway.transit.order()
  // @ts-expect-error There is no such reason.
  if (error.reason === 'TIMEOUT') return
  // @ts-expect-error Only another reason has this key.
  if (error.reason === 'BELOW_MIN_ORDER_SIZE') error.metadata.maxOrderSize
  // @ts-expect-error A tombstone has no amount.
  if (step.step === 'TOMBSTONED') step.amount
  // @ts-expect-error A date.
  step.order.createdAt.slice(0, 10)
}
const reason = await causeway.transit.order({ orderId: \`0x\${'00'.repeat(32)}\` }).catch((error: CausewayError) => error.reason)
console.log(JSON.stringify({ filter: writeFilter({ chainId: 1 }), reason }))
`

test('behavior: a program and the blocks of the README compile in strict TypeScript, mistakes are found', async () => {
  await project.write('typed.ts', TYPED)
  const programs = await readmePrograms()
  for (const { file, text } of programs) await project.write(file, text)
  expect(await project.check('typed.ts', ...programs.map(({ file }) => file))).toBe('')
  expect(JSON.parse(await project.run('typed.ts'))).toEqual({
    filter: 'chainId = 1',
    reason: 'CONNECTION_FAILED',
  })
})

/** What the examples of docs/client.md stand on, by its words. */
const DECLARED = `
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { CausewayClient, Connection, Parameters as ParametersOf, TransitQuote, TransitQuoteParameters } from '@causeway/sdk'
import type { CallToCheck, checkPermit as check, OpenBook, ShieldSource, SpendingIntent } from '@causeway/sdk/shield'
import type { EventStore, ReceiverOptions } from '@causeway/sdk/webhooks'
import type { QueryClient } from '@tanstack/react-query'
import type { FastifyInstance } from 'fastify'
import type { ReactNode } from 'react'
import type { Hex, PrivateKeyAccount, PublicClient, WalletClient } from 'viem'

declare const causeway: CausewayClient, connection: Connection, queryClient: QueryClient
declare const account: PrivateKeyAccount, page: ReactNode, error: unknown
declare const wallets: { walletClient: WalletClient; publicClient: PublicClient }
declare const vault: { chainId: number; vaultAddress: Hex }
declare const USDC: Hex, USDG: Hex, orderId: Hex, depositId: Hex, journeyId: Hex, txHash: Hex, address: Hex
declare const requestId: string, withdrawalRequestId: string, endpointId: string, eventId: string
declare const publicId: string, userId: string, invitationId: string, organizationId: string
declare const wish: TransitQuoteParameters, quote: TransitQuote, deposit: ParametersOf<'getJourneyQuote'>
declare const shield: ShieldSource, book: OpenBook, intent: SpendingIntent
declare const transaction: CallToCheck, permitData: Parameters<typeof check>[2]
declare const secrets: ReceiverOptions["secrets"], onEvent: ReceiverOptions["onEvent"]
declare const request: IncomingMessage, response: ServerResponse, body: string
declare const store: EventStore, event: Parameters<ReceiverOptions["onEvent"]>[0], app: FastifyInstance
`

test('behavior: each example of docs/client.md compiles in strict TypeScript', async () => {
  const functions = examples.map(
    (example, index) => `export async function example${index}() {\n${example}\n}\n`,
  )
  await project.write('examples.tsx', [importsOf(examples), DECLARED, ...functions].join(''))
  expect(await project.check('--jsx', 'react-jsx', 'examples.tsx')).toBe('')
})
