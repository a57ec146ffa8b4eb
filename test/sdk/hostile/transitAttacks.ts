import { type Address, maxUint256, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { TransitQuote } from '../../../domain/transit/terms/quoteTypedData.ts'
import { type Altered, ATTACKER, type Attack, type AttackedWorld } from './attack.ts'
import { type Args, encode, recode, resign, withTail } from './recode.ts'

const attackersKey = privateKeyToAccount(`0x${'a7'.repeat(32)}`)
const QUOTE = '/orders/quote'
const now = () => BigInt(Math.floor(Date.now() / 1_000))

/** Only signed quotes are attacked: the user has seen the others, and agreed. */
function orderAttack(
  name: string,
  reason: Attack['reason'],
  change: (answer: Altered, world: AttackedWorld) => unknown,
): Attack {
  return {
    name: `an order ${name}`,
    flow: 'transit',
    path: QUOTE,
    reason,
    async alter(answer, world) {
      if (answer.transaction) await change(answer, world)
      return answer
    },
  }
}

/** A quote that the station itself would take: its key is stolen too. */
function termsAttack(
  name: string,
  reason: Attack['reason'],
  change: (quote: TransitQuote, world: AttackedWorld) => void,
): Attack {
  return orderAttack(name, reason, (answer, world) =>
    resign(answer, { chainId: 1, station: world.station }, (quote) => change(quote, world)),
  )
}

function callAttack(name: string, reason: Attack['reason'], change: (args: Args) => void): Attack {
  return orderAttack(name, reason, ({ transaction }) => recode(transaction, change))
}

/** The answer of a deposit from elsewhere, as an answer of a quote. */
async function resignJourney(
  answer: Altered,
  { station }: AttackedWorld,
  receiver: Address,
): Promise<unknown> {
  const order = { orderId: answer.journey.id, transaction: answer.transaction }
  await resign(order, { chainId: 4663, station }, (quote) => {
    quote.receiver = receiver
  })
  answer.journey.id = order.orderId
  return answer
}

/** A deposit from elsewhere whose fee takes almost all, signed by the station's key, and its quote. */
async function lowerJourney(answer: Altered, { station }: AttackedWorld): Promise<unknown> {
  if ('amountOut' in answer) return { ...answer, amountOut: '1' }
  if (!answer.journey) return answer
  const order = { orderId: answer.journey.id, transaction: answer.transaction }
  await resign(order, { chainId: 4663, station }, (quote) => {
    quote.protocolFee = quote.offerAmount - 1n
  })
  answer.journey.id = order.orderId
  answer.journey.amountOut = '1'
  return answer
}

/** Attacks on orders, also by whoever has the station's key. */
export const TRANSIT_ATTACKS: Attack[] = [
  termsAttack('to the attacker', 'WRONG_RECEIVER', (quote) => {
    quote.receiver = ATTACKER
  }),
  termsAttack('to the station', 'WRONG_RECEIVER', (quote, { station }) => {
    quote.receiver = station
  }),
  termsAttack('to its own chain', 'WRONG_DESTINATION', ({ route }) => {
    route.destEID = 30101
  }),
  termsAttack('to an unknown chain', 'WRONG_DESTINATION', ({ route }) => {
    route.destEID = 1
  }),
  termsAttack('of twice the amount', 'WRONG_AMOUNT', (quote) => {
    quote.offerAmount *= 2n
  }),
  termsAttack('of another token', 'WRONG_TOKEN', ({ route }, { tokens }) => {
    route.offerAsset = tokens.USDT
  }),
  termsAttack('for another token', 'WRONG_TOKEN', ({ route }, { tokens }) => {
    route.wantAsset = tokens.USDT
  }),
  termsAttack('with half a per cent of fee', 'TERMS_WORSE', (quote) => {
    quote.protocolFee = quote.offerAmount / 200n
  }),
  termsAttack('whose fee takes all', 'TERMS_WORSE', (quote) => {
    quote.protocolFee = quote.offerAmount
  }),
  termsAttack('with a fee of the attacker', 'WRONG_FEE', (quote) => {
    quote.integratorFee = 1n
    quote.integratorFeeReceiver = ATTACKER
  }),
  termsAttack('with a receiver of a fee', 'WRONG_FEE', (quote) => {
    quote.integratorFeeReceiver = ATTACKER
  }),
  termsAttack('for ever', 'BAD_DEADLINE', (quote) => {
    quote.deadline = maxUint256
  }),
  termsAttack('that is past', 'BAD_DEADLINE', (quote) => {
    quote.deadline = now() - 100_000n
  }),
  orderAttack('that nobody has signed', 'WRONG_ORDER_ID', ({ transaction }) =>
    recode(transaction, ([quote]) => {
      quote.salt = `0x${'00'.repeat(32)}`
    }),
  ),
  orderAttack('of another id', 'WRONG_ORDER_ID', (answer) => {
    answer.orderId = `0x${'11'.repeat(32)}`
  }),
  orderAttack('that the attacker has signed', 'WRONG_SIGNER', (answer, { station }) =>
    resign(answer, { chainId: 1, station }, () => {}, attackersKey),
  ),
  callAttack('with a changed signature', 'WRONG_SIGNER', (args) => {
    args[1] = `0x${'22'.repeat(64)}1b`
  }),
  callAttack('with a short signature', 'WRONG_SIGNER', (args) => {
    args[1] = args[1].slice(0, -2)
  }),
  orderAttack('of another station', 'WRONG_CONTRACT', ({ transaction }) => {
    transaction.to = ATTACKER
  }),
  orderAttack('sent to the token', 'WRONG_CONTRACT', ({ transaction }, { tokens }) => {
    transaction.to = tokens.USDC
  }),
  orderAttack('with ten coins', 'VALUE_TOO_HIGH', ({ transaction }) => {
    transaction.value = String(10n ** 19n)
  }),
  orderAttack('with a wei above the bound', 'VALUE_TOO_HIGH', ({ transaction }) => {
    transaction.value = String(10n ** 16n + 1n)
  }),
  callAttack('with the deadline of another permit', 'WRONG_PERMIT', (args) => {
    args[2] += 1n
  }),
  callAttack('with the signature of another permit', 'WRONG_PERMIT', (args) => {
    args[4] = `0x${'33'.repeat(32)}`
  }),
  orderAttack('with bytes behind it', 'MALFORMED_CALL', ({ transaction }) => {
    transaction.data = withTail(transaction.data)
  }),
  orderAttack('cut short', 'MALFORMED_CALL', ({ transaction }) => {
    transaction.data = transaction.data.slice(0, -64)
  }),
  orderAttack('with an unknown function', 'UNKNOWN_FUNCTION', ({ transaction }) => {
    transaction.data = `0xdeadbeef${transaction.data.slice(10)}`
  }),
  orderAttack('that is an approval', 'UNKNOWN_FUNCTION', ({ transaction }, { station, tokens }) => {
    transaction.to = tokens.USDC
    transaction.value = '0'
    transaction.data = encode('token.approve', [station, parseUnits('2500', 6)])
  }),
  {
    name: 'a deposit from elsewhere that is an approval',
    flow: 'deposit from',
    path: '/earn/deposit',
    reason: 'UNKNOWN_FUNCTION',
    alter(answer, { station, tokens }) {
      answer.transaction.to = tokens.USDG
      answer.transaction.value = '0'
      answer.transaction.data = encode('token.approve', [station, parseUnits('300', 6)])
      return answer
    },
  },
  {
    name: 'a deposit from elsewhere to the attacker',
    flow: 'deposit from',
    path: '/earn/deposit',
    reason: 'WRONG_ADDRESS',
    alter: (answer, world) => resignJourney(answer, world, ATTACKER),
  },
  {
    name: "a deposit from elsewhere to the attacker's own deposit address",
    flow: 'deposit from',
    path: '/earn/deposit',
    reason: 'WRONG_ADDRESS',
    alter: (answer, world) => resignJourney(answer, world, world.attackersDepositAddress),
  },
  {
    name: 'an order by what is wanted with an offer above the limit',
    flow: 'transit by what is wanted',
    path: QUOTE,
    reason: 'WRONG_AMOUNT',
    alter(answer) {
      answer.offerAmount = '1000000000000'
      return answer
    },
  },
  {
    name: 'a deposit from elsewhere of which almost nothing arrives, in both answers',
    flow: 'deposit from',
    path: '',
    reason: 'TERMS_WORSE',
    alter: lowerJourney,
  },
  {
    name: 'a deposit from elsewhere for shares of which almost nothing arrives',
    flow: 'deposit from for shares',
    path: '',
    reason: 'TERMS_WORSE',
    alter: lowerJourney,
  },
  {
    name: 'shares at a price above the limit',
    flow: 'deposit from for shares',
    path: '',
    reason: 'WRONG_AMOUNT',
    alter(answer) {
      const { offerAmount, journey } = answer
      if (offerAmount) answer.offerAmount = '999000000'
      if (journey) journey.offerAmount = '999000000'
      return answer
    },
  },
]
