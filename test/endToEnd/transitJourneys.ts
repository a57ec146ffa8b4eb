import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { distributorCodeOf, erc20 } from '../../devnet/placeOrder.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { broadcast, type Ends } from '../support/quotes.ts'

const PERMIT_OR_APPROVE = ['eip2612_permit', 'erc20_approve']
const APPROVE = ['erc20_approve']

/** A user's order, and the way to authorize it. */
export type Journey = Ends & {
  offerAmount: bigint
  /** Holds the offer and sends it. Also the default receiver. */
  payer: LocalAccount
  receiver?: Address
  integratorFee?: bigint
  distributorCode?: Hex
  /** The preparation of the payer's token or account. */
  before?: (world: World, journey: Journey) => Promise<unknown>
  /** The expected authorization, for each request of it. */
  offered: string[][]
}

export const JOURNEYS: Record<string, Journey> = {
  'by permit, from 1 to 4663': {
    from: 1,
    to: 4663,
    offer: 'USDC',
    want: 'USDG',
    payer: userAt(0),
    offerAmount: parseUnits('2500.123457', 6),
    offered: [PERMIT_OR_APPROVE],
  },
  'by approval, 18 to 6 decimals, with integrator and code': {
    from: 1,
    to: 4663,
    offer: 'USDP',
    want: 'USDG',
    payer: userAt(1),
    offerAmount: 3_000_123456789012345678n,
    integratorFee: 12_345678901234567891n,
    distributorCode: distributorCodeOf('journey'),
    offered: [APPROVE],
  },
  'already approved, from 4663 to 1, 6 to 18 decimals, to another receiver': {
    from: 4663,
    to: 1,
    offer: 'USDG',
    want: 'USDS',
    payer: userAt(2),
    offerAmount: parseUnits('1999.999999', 6),
    receiver: privateKeyToAddress(generatePrivateKey()),
    before: (world, journey) => allow(world, journey, parseUnits('2000', 6)),
    offered: [[]],
  },
  'a token with reset, from 1 to 4663': {
    from: 1,
    to: 4663,
    offer: 'USDT',
    want: 'USDG',
    payer: userAt(3),
    offerAmount: parseUnits('5000', 6),
    before: (world, journey) => allow(world, journey, 5n),
    offered: [APPROVE, APPROVE],
  },
  'a smart account, on one chain': {
    from: 1,
    to: 1,
    offer: 'USDC',
    want: 'USDG',
    payer: userAt(4),
    offerAmount: parseUnits('2000', 6),
    before: delegate,
    offered: [APPROVE],
  },
  'by permit, on one chain, with integrator and code': {
    from: 1,
    to: 1,
    offer: 'USDC',
    want: 'USDS',
    payer: userAt(5),
    offerAmount: parseUnits('3333.333333', 6),
    integratorFee: 333_333_333n,
    distributorCode: distributorCodeOf('on one chain'),
    offered: [PERMIT_OR_APPROVE],
  },
  'by permit, from 4663 to 1': {
    from: 4663,
    to: 1,
    offer: 'USDG',
    want: 'USDC',
    payer: userAt(6),
    offerAmount: parseUnits('750000', 6),
    integratorFee: 1n,
    offered: [PERMIT_OR_APPROVE],
  },
}

async function allow(world: World, { payer, from, offer }: Journey, amount: bigint) {
  const args = [DEPLOYMENT.station, amount] as const
  const data = encodeFunctionData({ abi: erc20, functionName: 'approve', args })
  await broadcast(world, from, { account: payer, to: DEPLOYMENT.tokens[offer], data })
}

/** EIP-7702: the account keeps its key and sends as before, but has code. */
async function delegate(world: World, { payer, from }: Journey) {
  const code: Hex = `0xef0100${DEPLOYMENT.authority.slice(2)}`
  await worldClient(world, from).setCode({ address: payer.address, bytecode: code })
}
