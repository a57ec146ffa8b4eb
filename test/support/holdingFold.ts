import {
  type FoldedRow,
  type FoldedRows,
  NOBODY,
  originOf,
  text,
  textOrNull,
} from './foldedRows.ts'
import type { VaultContract, VaultEvent } from './vaultLogs.ts'

type Rate = { rate: bigint; opening: bigint } | null
type Purpose =
  | { kind: 'plain' | 'escrow' | 'burn' }
  | { kind: 'deposit'; paid: bigint }
  | { kind: 'refund'; request: FoldedRow }

/**
 * Balances with their costs, transfers and activities. It knows what a transfer is for from the later
 * events of its transaction, which an indexer does not have yet.
 */
export class HoldingFold {
  readonly #rows: FoldedRows
  readonly #passing: Set<string>
  readonly #queues: Set<string>
  readonly #escrows = new Map<string, FoldedRow>()

  constructor(rows: FoldedRows, contracts: VaultContract[]) {
    this.#rows = rows
    const of = (kinds: VaultContract['kind'][]) =>
      contracts
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ chainId, address }) => `${chainId} ${address}`)
    this.#queues = new Set(of(['queues']))
    this.#passing = new Set(of(['queues', 'depositors']))
  }

  /** `later` has the other events of the transaction after this one. */
  transfer(event: VaultEvent, later: VaultEvent[]) {
    const { args, vault, chainId } = event
    const [sender, recipient, amount] = [text(args.from), text(args.to), args.amount as bigint]
    const isMove = amount !== 0n && sender !== recipient
    const purpose = this.#purposeOf(event, later)
    const rate = this.#rateOf(event)
    const counts = (account: string) =>
      isMove && purpose.kind === 'plain' && !this.#passes(event, account)
    const row = { vault, sender, recipient, amount: text(amount), rate: textOrNull(rate?.rate) }
    this.#rows.fact('share_transfer', event, {
      ...row,
      counts_for_sender: counts(sender),
      counts_for_recipient: counts(recipient),
    })
    const before = this.#holdingOf(event, recipient)
    const cost = isMove ? this.#send(event, { sender, amount, rate, purpose }) : 0n
    if (isMove) this.#receive(event, { recipient, amount, rate, purpose })
    if (purpose.kind === 'escrow') this.#keepCost(event, later, { cost, isPriced: rate !== null })
    if (this.#passes(event, sender) || this.#passes(event, recipient))
      this.#rows.put('last_share_transfer', [chainId, vault], {
        ...originOf(event),
        ...row,
        cost: String(cost),
        recipient_had_transferred: isMove && before.has_transferred_shares === true,
      })
  }

  /** Adds to what the zero address has. */
  nobody(event: VaultEvent, change: bigint) {
    this.#hold(event, NOBODY, (row) => ({ balance: String(big(row.balance) + change) }))
  }

  entry(event: VaultEvent) {
    const { args, vault, chainId } = event
    this.#rows.put('vault_entry', [chainId, vault], {
      ...originOf(event),
      vault,
      recipient: text(args.to),
      assets: text(args.amount),
      shares: text(args.shares),
    })
  }

  deposit(event: VaultEvent, earlier: VaultEvent[]) {
    const { args } = event
    const passed = earlier.findLast(isTransfer)
    const isPassed = passed?.args.from === event.contract && passed?.args.to === args.to
    this.#activity(event, {
      type: 'DEPOSIT',
      user_address: text(args.to),
      other: text(args.depositor),
      asset: text(args.depositAsset),
      asset_amount: text(args.depositAmount),
      shares: isPassed ? text(passed?.args.amount) : '0',
    })
  }

  withdrawAtOnce(event: VaultEvent, exit: FoldedRow) {
    this.#activity(event, {
      type: 'WITHDRAWAL_ATOMIC',
      user_address: String(exit.account),
      other: String(exit.recipient),
      asset: text(event.args.asset),
      asset_amount: String(exit.assets),
      shares: text(event.args.shareAmount),
    })
  }

  /** An event of a queue, before it changes the row of its request; `fee` and `assets` of a payment. */
  queueEvent(event: VaultEvent, request: FoldedRow, paid: { fee: unknown; assets: unknown }) {
    const { name, args } = event
    const order = (args.order ?? {}) as Record<string, unknown>
    const order_index = String(request.order_index)
    if (name === 'OrderSubmitted')
      return this.#activity(event, {
        type: 'WITHDRAWAL_REQUESTED',
        user_address: text(args.depositor),
        other: text(args.receiver),
        asset: text(order.wantAsset),
        shares: text(order.amountOffer),
        order_index,
      })
    if (request.user_address === NOBODY) return
    const user_address = String(request.user_address)
    const of = { user_address, shares: String(request.offer_amount), order_index }
    if (name === 'OrderMarkedForRefund')
      return this.#activity(event, { ...of, type: 'WITHDRAWAL_REFUND_REQUESTED' })
    const rate = this.#rateOf(event)
    const shares = big(request.offer_amount)
    if (name === 'OrderRefunded' || name === 'OrderRefundFailed') {
      const other = text(name === 'OrderRefunded' ? order.refundReceiver : args.recoveryAddress)
      if (other !== user_address) this.#earn(event, request, { shares, rate })
      return this.#activity(event, { ...of, type: 'WITHDRAWAL_REFUNDED', other })
    }
    if (name !== 'OrderProcessed' || order.didOrderFailTransfer === true) return
    this.#earn(event, request, { shares: shares - big(paid.fee ?? 0), rate })
    this.#activity(event, {
      ...of,
      type: 'WITHDRAWAL_COMPLETED',
      other: text(args.receiver),
      asset: text(order.wantAsset),
      asset_amount: textOrNull(paid.assets),
    })
  }

  #purposeOf(event: VaultEvent, later: VaultEvent[]): Purpose {
    const { args, chainId, vault } = event
    const [from, to] = [text(args.from), text(args.to)]
    // Nothing after the vault's next transfer is about this one.
    const end = later.findIndex((other) => other.vault === vault && isTransfer(other))
    const near = (end === -1 ? later : later.slice(0, end)).filter((other) => other.vault === vault)
    const isMint = (other: VaultEvent) =>
      other.kind === 'queues' && other.name === 'Transfer' && other.args.from === NOBODY
    if (near.some((other) => isMint(other) && other.contract === to)) return { kind: 'escrow' }
    const exit = near.find(({ kind, name }) => kind === 'vault' && name === 'Exit')
    const isBulk = near.some(({ kind, name }) => kind === 'tellers' && name === 'BulkWithdraw')
    if (to === NOBODY && exit?.args.from === from && isBulk) return { kind: 'burn' }
    const deposit = near.find(
      ({ kind, name, contract, args: { to: receiver } }) =>
        kind === 'depositors' && name.startsWith('Deposit') && contract === from && receiver === to,
    )
    if (deposit) return { kind: 'deposit', paid: deposit.args.depositAmount as bigint }
    const refund = near.find(
      ({ contract, name }) =>
        contract === from && (name === 'OrderRefunded' || name === 'OrderRefundFailed'),
    )
    const request =
      refund && this.#rows.get('withdrawal_request', [chainId, from, refund.args.orderIndex])
    return request && request.user_address === to ? { kind: 'refund', request } : { kind: 'plain' }
  }

  /** Returns the cost that left. */
  #send(
    event: VaultEvent,
    sent: { sender: string; amount: bigint; rate: Rate; purpose: Purpose },
  ): bigint {
    const { sender, amount, rate, purpose } = sent
    if (sender === NOBODY) return 0n
    let left = 0n
    this.#hold(event, sender, (row) => {
      const balance = big(row.balance)
      if (this.#passes(event, sender)) return { balance: String(balance - amount) }
      const held = inUnit(row, rate)
      left = amount >= balance ? held.cost : (held.cost * amount) / balance
      const gain = purpose.kind === 'escrow' ? 0n : worth(amount, rate) - left
      return {
        balance: String(balance - amount),
        cost: String(held.cost - left),
        realised: String(held.realised + gain),
        is_priced: held.isPriced,
      }
    })
    return left
  }

  #receive(
    event: VaultEvent,
    got: { recipient: string; amount: bigint; rate: Rate; purpose: Purpose },
  ) {
    const { recipient, amount, rate, purpose } = got
    this.#hold(event, recipient, (row) => {
      const balance = String(big(row.balance) + amount)
      if (this.#passes(event, recipient)) return { balance }
      const held = inUnit(row, rate)
      const isOwn = purpose.kind === 'deposit' || purpose.kind === 'refund'
      return {
        balance,
        cost: String(held.cost + this.#costOf(event, { amount, rate, purpose })),
        realised: String(held.realised),
        is_priced: held.isPriced,
        has_transferred_shares: row.has_transferred_shares === true || !isOwn,
      }
    })
  }

  #costOf(
    { chainId, vault, transactionHash, args }: VaultEvent,
    { amount, rate, purpose }: { amount: bigint; rate: Rate; purpose: Purpose },
  ): bigint {
    if (purpose.kind === 'refund') return costOfRequest(purpose.request, rate)
    if (purpose.kind !== 'deposit') return worth(amount, rate)
    const entry = this.#rows.get('vault_entry', [chainId, vault])
    const isHere = entry?.transaction_hash === transactionHash && entry.recipient === args.from
    if (!isHere || entry.assets === '0') return worth(amount, rate)
    return (worth(big(entry.shares), rate) * purpose.paid) / big(entry.assets)
  }

  /** The receipt is minted after the transfer: its request takes the cost. */
  #keepCost(event: VaultEvent, later: VaultEvent[], kept: { cost: bigint; isPriced: boolean }) {
    const mint = later.find(({ kind, name }) => kind === 'queues' && name === 'Transfer')
    if (mint)
      this.#escrows.set(placeOf(mint), {
        user_address: text(event.args.from),
        offer_amount: text(event.args.amount),
        cost: String(kept.cost),
        is_cost_priced: kept.isPriced,
      })
  }

  /** The columns of a request that its shares give it with its receipt. */
  escrowOf(mint: VaultEvent): FoldedRow | undefined {
    return this.#escrows.get(placeOf(mint))
  }

  /** Adds the earnings of a request's shares (their value less their cost) to its user. */
  #earn(event: VaultEvent, request: FoldedRow, { shares, rate }: { shares: bigint; rate: Rate }) {
    const user = String(request.user_address)
    if (this.#passes(event, user)) return
    this.#hold(event, user, (row) => {
      const held = inUnit(row, rate)
      const gain = worth(shares, rate) - costOfRequest(request, rate)
      const { cost, isPriced: is_priced } = held
      return { cost: String(cost), realised: String(held.realised + gain), is_priced }
    })
  }

  #activity(event: VaultEvent, { other, ...activity }: Activity) {
    this.#rows.fact('vault_activity', event, {
      asset: null,
      asset_amount: null,
      order_index: null,
      ...activity,
      vault: event.vault,
      counterparty: other === undefined || other === activity.user_address ? null : other,
      rate: textOrNull(this.#rateOf(event)?.rate),
    })
  }

  #rateOf({ chainId, vault }: VaultEvent): Rate {
    const { rate = null, opening_rate = null } =
      this.#rows.get('vault_state', [chainId, vault]) ?? {}
    return rate === null ? null : { rate: big(rate), opening: big(opening_rate) }
  }

  #passes({ chainId }: VaultEvent, account: string): boolean {
    return account === NOBODY || this.#passing.has(`${chainId} ${account}`)
  }

  isQueue({ chainId }: VaultEvent, account: unknown): boolean {
    return this.#queues.has(`${chainId} ${account}`)
  }

  #holdingOf({ chainId, vault }: VaultEvent, account: string): FoldedRow {
    return (
      this.#rows.get('share_balance', [chainId, vault, account]) ?? {
        chain_id: chainId,
        vault,
        account,
        balance: '0',
        cost: '0',
        realised: '0',
        is_priced: false,
        has_transferred_shares: false,
      }
    )
  }

  #hold(event: VaultEvent, account: string, change: (row: FoldedRow) => FoldedRow) {
    const row = this.#holdingOf(event, account)
    const key = [event.chainId, event.vault, account]
    this.#rows.put('share_balance', key, { ...row, ...change(row) })
  }
}

type Activity = {
  type: string
  user_address: string
  other?: string
  asset?: string
  asset_amount?: string | null
  shares: string
  order_index?: string
}

function big(value: unknown): bigint {
  return BigInt(String(value))
}

/** In shares times rate, or in shares while there was no rate. */
function worth(shares: bigint, rate: Rate): bigint {
  return rate === null ? shares : shares * rate.rate
}

/** Cost and earnings in the unit of now. */
function inUnit({ cost, realised, is_priced }: FoldedRow, rate: Rate) {
  const isPriced = is_priced === true || rate !== null
  const factor = is_priced === true || rate === null ? 1n : rate.opening
  return { cost: big(cost) * factor, realised: big(realised) * factor, isPriced }
}

function costOfRequest({ cost, is_cost_priced }: FoldedRow, rate: Rate): bigint {
  return is_cost_priced === true || rate === null ? big(cost) : big(cost) * rate.opening
}

function isTransfer({ kind, name }: VaultEvent): boolean {
  return kind === 'vault' && name === 'Transfer'
}

function placeOf({ chainId, transactionHash, logIndex }: VaultEvent): string {
  return `${chainId} ${transactionHash} ${logIndex}`
}
