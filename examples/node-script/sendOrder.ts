/** Sends USDC on one chain as USDG to the same account on another, and prints each step until the receiver is paid. */
import { readFileSync } from 'node:fs'
import { CausewayError, createCausewayClient } from '@causeway/sdk'
import { createPublicClient, createWalletClient, formatUnits, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

// The tokens and chains of the local world. `causeway.core.tokens()` lists those of an installation.
const USDC = '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3'
const USDG = '0x69e033B6Da21D3DC7e4f1684081901712032c3C8'
const DECIMALS = 6

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
  shield: { book, signers, environment: SHIELD_ENVIRONMENT },
})

try {
  const quote = await causeway.transit.quote({
    userAddress: account.address,
    offerAsset: USDC,
    offerAmount: parseUnits(process.argv[2] ?? '2500', DECIMALS),
    sourceChainId: 1,
    wantAsset: USDG,
    destinationChainId: 4663,
  })
  print(`receives ${formatUnits(quote.amountOut, DECIMALS)} USDG`)
  const order = await causeway.transit.send({ walletClient, publicClient, quote })
  print(`order ${order.id}`)
  for await (const { step } of causeway.transit.follow(order.id)) {
    print(step)
    if (step === 'REMOVED' || step === 'TOMBSTONED') process.exitCode = 1
    if (step === 'PROCESSED' || process.exitCode) break
  }
} catch (error) {
  if (!(error instanceof CausewayError)) throw error
  if (error.reason === 'BELOW_MIN_ORDER_SIZE') print(`send at least ${error.metadata.minOrderSize}`)
  else print(`${error.reason}: ${error.message} (request ${error.requestId})`)
  process.exitCode = 1
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
