/** Puts the stablecoin of a wallet into a vault, whenever the balance is high enough. Stop it with Ctrl-C. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CausewayError, createCausewayClient } from '@causeway/sdk'
import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  type Hash,
  http,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

// USDC and Harbor Dollar of the local world. `causeway.earn.vaults()` lists the vaults of an installation.
const TOKEN = '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3'
const VAULT = { chainId: 1, vaultAddress: '0xA5Cd860776d8803C9CcEb805E2Af1c2beAc3a0DA' } as const
const DECIMALS = 6
const MINIMUM = parseUnits(process.env.MINIMUM ?? '100', DECIMALS)
const INTERVAL_MS = Number(process.env.INTERVAL_MS ?? 60_000)

const account = privateKeyToAccount(process.env.PRIVATE_KEY as `0x${string}`)
const transport = http(process.env.RPC_URL)
const walletClient = createWalletClient({ account, transport })
const publicClient = createPublicClient({ transport })
// What is signed is checked by this book, which the operator has signed.
const { SHIELD_BOOK = 'shield-book.json', SHIELD_SIGNER, SHIELD_ENVIRONMENT } = process.env
const book = JSON.parse(readFileSync(SHIELD_BOOK, 'utf8'))
const signers = [SHIELD_SIGNER as `0x${string}`]
const causeway = createCausewayClient({
  url: process.env.CAUSEWAY_URL ?? 'http://127.0.0.1:4000',
  apiKey: process.env.CAUSEWAY_API_KEY,
  shield: { book, signers, environment: SHIELD_ENVIRONMENT },
})

/** A transaction that may still be mined. It is waited for once, for three minutes at most, before another one is sent. */
let pending: Hash | undefined

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

while (!stop.signal.aborted) {
  await sweep().catch(report)
  // Ctrl-C lets a deposit finish, and ends this wait early, which rejects.
  await sleep(INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => {})
}
print('stopped')

async function sweep() {
  const hash = pending
  pending = undefined
  if (hash) await publicClient.waitForTransactionReceipt({ hash })
  const balance = await publicClient.readContract({
    address: TOKEN,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account.address],
  })
  if (balance < MINIMUM) return
  const deposited = await causeway.earn.deposit({
    walletClient,
    publicClient,
    ...VAULT,
    depositAsset: TOKEN,
    depositAmount: balance,
  })
  print(`deposited ${formatUnits(balance, DECIMALS)} in ${deposited.hash}`)
}

/** A vault that is full or paused, or a node that does not answer: the next round tries again. */
function report(error: unknown) {
  if (!(error instanceof CausewayError)) return print(`failed: ${error}`)
  if (error.reason === 'TRANSACTION_PENDING') pending = error.metadata.hash
  print(`${error.reason}: ${error.message}`)
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
