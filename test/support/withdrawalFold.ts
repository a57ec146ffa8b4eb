import {
  type FoldedRow,
  type FoldedRows,
  NOBODY,
  originOf,
  text,
  textOrNull,
} from './foldedRows.ts'
import type { HoldingFold } from './holdingFold.ts'
import { DAY, HOUR, periodEnd } from './periodEnd.ts'
import type { VaultEvent } from './vaultLogs.ts'

const RECORDED_EVENTS = [
  'OrderSubmitted',
  'Transfer',
  'OrderMarkedForRefund',
  'OrderRefunded',
  'OrderProcessed',
  'OrdersProcessedInRange',
  'OrderRefundFailed',
  'FeesExceededOrderAmount',
]

/** The rows about withdrawals and withdrawal requests. */
export class WithdrawalFold {
  readonly #rows: FoldedRows
  readonly #holdings: HoldingFold

  constructor(rows: FoldedRows, holdings: HoldingFold) {
    this.#rows = rows
    this.#holdings = holdings
  }

  bulkWithdraw(event: VaultEvent) {
    const { args, vault, contract } = event
    const exit = this.#exitBefore(event)
    const [asset, shares] = [text(args.asset), text(args.shareAmount)]
    const { account = null, recipient = null, assets = null } = exit ?? {}
    this.#rows.fact('bulk_withdrawal', event, {
      vault,
      teller: contract,
      asset,
      shares,
      account,
      recipient,
      assets,
    })
    if (!exit || this.#holdings.isQueue(event, exit.account)) return
    this.#paid(event, { asset, shares, assets: String(exit.assets), is_queued: false })
    this.#holdings.withdrawAtOnce(event, exit)
  }

  queueEvent(event: VaultEvent) {
    const { name, args } = event
    const isReceipt = name === 'Transfer'
    const index = args.orderIndex ?? args.tokenId ?? args.startIndex
    const escrow = isReceipt && args.from === NOBODY && this.#holdings.escrowOf(event)
    if (escrow) this.#changeOrder(event, index, escrow)
    if (isReceipt && (args.from === NOBODY || args.to === NOBODY)) return
    const isRecorded = RECORDED_EVENTS.includes(name)
    if (isRecorded)
      this.#rows.fact('withdrawal_request_event', event, {
        vault: event.vault,
        queue: event.contract,
        order_index: text(index),
        name,
        last_order_index: textOrNull(args.endIndex),
        holder: isReceipt ? text(args.to) : null,
      })
    const order = (args.order ?? {}) as Record<string, unknown>
    const failed = order.didOrderFailTransfer === true
    const figures = this.#figuresOf(event, order)
    this.#holdings.queueEvent(event, this.#orderOf(event, index), figures)
    if (isReceipt) this.#changeOrder(event, index, { receiver: text(args.to) })
    if (name === 'OrderMarkedForRefund')
      this.#changeOrder(event, index, {
        is_marked_for_refund: true,
        is_marked_for_refund_by_user: args.isMarkedByUser === true,
      })
    if (name === 'OrderRefunded')
      this.#changeOrder(event, index, {
        is_refunded: true,
        did_fail_transfer: failed,
        settlement_transaction_hash: event.transactionHash,
        cost: '0',
      })
    if (name === 'OrderRefundFailed')
      this.#changeOrder(event, index, {
        is_refunded: true,
        did_fail_refund: true,
        settlement_transaction_hash: event.transactionHash,
        cost: '0',
      })
    if (name === 'OrderSubmitted') this.#submit(event, index, order)
    if (name !== 'OrderProcessed') return
    if (failed) return this.#changeOrder(event, index, { did_fail_transfer: true })
    const { fee, assets } = figures
    this.#changeOrder(event, index, {
      is_paid: true,
      is_force_processed: args.isForceProcessed === true,
      fee_amount: fee,
      assets_out: assets,
      paid_at: String(event.blockTimestamp),
      settlement_transaction_hash: event.transactionHash,
      cost: '0',
    })
    const asset = text(order.wantAsset)
    this.#paid(event, {
      asset,
      shares: text(order.amountOffer),
      assets: assets ?? '0',
      is_queued: true,
    })
  }

  /** The amount of a payment, from its event or, in generation A, from the vault's Exit before it. */
  #figuresOf(event: VaultEvent, order: Record<string, unknown>) {
    const { name, args } = event
    if (name !== 'OrderProcessed') return { fee: null, assets: null }
    if (args.assetsOut !== undefined)
      return { fee: text(args.feeAmount), assets: text(args.assetsOut) }
    const exit = this.#exitBefore(event)
    if (!exit) return { fee: null, assets: null }
    const fee = String((order.amountOffer as bigint) - BigInt(String(exit.shares)))
    return { fee, assets: String(exit.assets) }
  }

  /** The vault's last Exit, if it was in the same transaction. */
  #exitBefore({ chainId, vault, transactionHash }: VaultEvent): FoldedRow | null {
    const exit = this.#rows.get('vault_exit', [chainId, vault])
    return exit?.transaction_hash === transactionHash ? exit : null
  }

  #paid(
    event: VaultEvent,
    paid: { asset: string; shares: string; assets: string; is_queued: boolean },
  ) {
    const { chainId, vault } = event
    this.#rows.fact('withdrawal', event, { vault, ...paid })
    for (const seconds of [HOUR, DAY]) {
      const until = periodEnd(event, seconds)
      const key = [chainId, vault, paid.asset, seconds, until]
      const sum = this.#rows.get('withdrawal_period', key)
      const add = (column: 'shares' | 'assets') =>
        String(BigInt(String(sum?.[column] ?? 0)) + BigInt(paid[column]))
      this.#rows.put('withdrawal_period', key, {
        chain_id: chainId,
        vault,
        asset: paid.asset,
        seconds,
        until,
        order_count: Number(sum?.order_count ?? 0) + 1,
        shares: add('shares'),
        assets: add('assets'),
      })
    }
  }

  #submit(event: VaultEvent, index: unknown, order: Record<string, unknown>) {
    const { args } = event
    const known = this.#orderOf(event, index)
    this.#changeOrder(event, index, {
      ...originOf(event),
      is_submitted: true,
      user_address: text(args.depositor),
      receiver: known.receiver === NOBODY ? text(args.receiver) : known.receiver,
      refund_receiver: text(order.refundReceiver),
      want_asset: text(order.wantAsset),
      offer_amount: text(order.amountOffer),
      is_submitted_via_signature: args.isSubmittedViaSignature === true,
    } as FoldedRow)
  }

  #orderOf(event: VaultEvent, index: unknown): FoldedRow {
    const { chainId, contract, vault } = event
    return (
      this.#rows.get('withdrawal_request', [chainId, contract, index]) ?? {
        ...originOf(event),
        vault,
        queue: contract,
        order_index: text(index),
        is_submitted: false,
        user_address: NOBODY,
        receiver: NOBODY,
        refund_receiver: NOBODY,
        want_asset: NOBODY,
        offer_amount: '0',
        is_submitted_via_signature: false,
        is_marked_for_refund: false,
        is_marked_for_refund_by_user: false,
        is_paid: false,
        is_force_processed: false,
        is_refunded: false,
        did_fail_transfer: false,
        did_fail_refund: false,
        fee_amount: null,
        assets_out: null,
        paid_at: null,
        settlement_transaction_hash: null,
        cost: '0',
        is_cost_priced: false,
      }
    )
  }

  #changeOrder(event: VaultEvent, index: unknown, changes: FoldedRow) {
    this.#rows.put('withdrawal_request', [event.chainId, event.contract, index], {
      ...this.#orderOf(event, index),
      ...changes,
      last_block_number: String(event.blockNumber),
      last_block_timestamp: String(event.blockTimestamp),
    })
    this.#sumDemand(event, this.#orderOf(event, index).want_asset ?? null)
  }

  /** Computed anew from the orders that wait and are not marked for refund. */
  #sumDemand({ chainId, contract: queue }: VaultEvent, asset: FoldedRow[string]) {
    const asked = this.#rows
      .all('withdrawal_request')
      .filter(
        (order) =>
          order.chain_id === chainId && order.queue === queue && order.want_asset === asset,
      )
    // There is a row from the first order on, whatever its outcome.
    if (!asked.some((order) => order.is_submitted)) return
    const waiting = asked.filter(
      (order) =>
        order.is_submitted && !order.is_paid && !order.is_refunded && !order.is_marked_for_refund,
    )
    // A first request that was cancelled before its submission was emitted was never demand.
    const isKnown = this.#rows.get('withdrawal_demand', [chainId, queue, asset]) !== undefined
    if (waiting.length === 0 && !isKnown) return
    this.#rows.put('withdrawal_demand', [chainId, queue, asset], {
      chain_id: chainId,
      queue,
      asset,
      order_count: waiting.length,
      shares: String(waiting.reduce((sum, order) => sum + BigInt(String(order.offer_amount)), 0n)),
    })
  }
}
