import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { documentOf, questions } from '../simulation/everyRead.ts'
import { ask } from '../support/ask.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'

export type Callers = {
  /** How many calls were answered with each status; 0 without an answer. */
  statuses(): Record<number, number>
  /** Answers that no fault excuses. */
  faults(): string[]
  /** The addresses whose registration was acknowledged. */
  registered(): Address[]
  stop(): Promise<void>
}

type Call = { path: string; body?: object; method?: string }

const PAUSE_MS = 120
/** 502 is the attestation provider's fault; 504 a time-out of a node. */
const EXCUSED = [200, 304, 400, 403, 404, 409, 422, 429, 502, 503, 504]
const prime = vaultDeployment('Harbor Prime', 1)

/** Calls of every kind by one client after the other, until `stop`: every read by REST and GraphQL, quotes, calldata, and writes. */
export function startCallers(url: string, seed: number): Callers {
  const random = seededRandom(seed)
  const statuses: Record<number, number> = {}
  const faults: string[] = []
  const registered: Address[] = []
  let isStopped = false

  async function run() {
    for (let turn = 0; !isStopped; turn += 1) {
      const call = drawCall(random, turn)
      const answer = await send(url, call)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status !== 0 && !EXCUSED.includes(answer.status))
        faults.push(`${call.path} was answered ${answer.status} ${answer.text.slice(0, 300)}`)
      if (answer.status === 200 && call.path === REGISTER)
        registered.push(
          (JSON.parse(answer.text) as { smartDepositAddress: Address }).smartDepositAddress,
        )
      await sleep(PAUSE_MS)
    }
  }
  const running = Promise.all([run(), run()])
  return {
    statuses: () => statuses,
    faults: () => faults,
    registered: () => registered,
    async stop() {
      isStopped = true
      await running
    },
  }
}

const REGISTER = '/v2/earn/smartDepositAddresses'

function drawCall(random: SeededRandom, turn: number): Call {
  const kind = random.fraction()
  if (kind < 0.15) return drawWrite(random, turn)
  if (kind < 0.35) return drawPreparation(random)
  const [first, ...others] = questions(Math.floor(Date.now() / 1_000))
  if (!first) throw new Error('Invariant(drawCall): there are reads')
  const { path, field, variables } = random.pick([first, ...others])
  if (field && random.chance(0.5))
    return { path: '/graphql', body: { query: documentOf(field, variables), variables } }
  return { path: `${path}?${query(variables)}` }
}

/** Quotes and calldata, which read chains. */
function drawPreparation(random: SeededRandom): Call {
  const userAddress = DEVNET_USERS[random.integer(0, 4)]?.address ?? ''
  const { USDC, USDG } = DEPLOYMENT.tokens
  const amount = String(random.integer(2, 900) * 1_000_000)
  const vaultAddress = prime.vault
  switch (random.pick(['quote', 'deposit', 'withdraw'])) {
    case 'quote': {
      const [sourceChainId, destinationChainId] = random.pick([
        [1, 4663],
        [4663, 1],
      ])
      const [offerAsset, wantAsset] = sourceChainId === 1 ? [USDC, USDG] : [USDG, USDC]
      const assets = { userAddress, offerAsset, wantAsset, offerAmount: amount }
      return {
        path: `/v1/transit/orders/quote?${query({ ...assets, sourceChainId, destinationChainId })}`,
      }
    }
    case 'deposit': {
      const of = {
        vaultAddress,
        userAddress,
        chainId: 1,
        depositAsset: USDC,
        depositAmount: amount,
      }
      return { path: `/v2/earn/deposit?${query(of)}` }
    }
    default: {
      const of = { vaultAddress, userAddress, chainId: 1, wantAsset: USDC, shareAmount: '1000' }
      return { path: `/v2/earn/withdraw?${query(of)}` }
    }
  }
}

function drawWrite(random: SeededRandom, turn: number): Call {
  if (random.chance(0.3))
    return {
      path: '/graphql',
      body: { query: '{ webhookEndpoints { endpoints { id status } } }' },
    }
  return {
    path: REGISTER,
    body: {
      userDestinationAddress: DEVNET_USERS[random.integer(0, 9)]?.address,
      vaultAddress: prime.vault,
      inputToken: DEPLOYMENT.tokens.USDC,
      chainId: 1,
      customerId: `chaos-${turn}-${random.hex(4)}`,
    },
  }
}

function query(values: Record<string, string | number | boolean>): string {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)])
  return String(new URLSearchParams(Object.fromEntries(texts)))
}

async function send(url: string, { path, body }: Call) {
  try {
    const response = await ask(`${url}${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: 0, text: '' }
  }
}
