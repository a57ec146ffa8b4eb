import type { VaultContract, VaultEvent } from './vaultLogs.ts'

/** A row as Postgres spells it: int8 and numeric as decimal text. */
export type FoldedRow = Record<string, string | number | boolean | null>
/** Rows by table and key. */
export type FoldedTables = Record<string, Map<string, FoldedRow>>

const NOBODY = `0x${'00'.repeat(20)}`

/**
 * The rows of the index's vault tables after these events, computed without the index's code. Events of
 * each chain come in the chain's order (`readVaultEvents`); events above a chain's head are ignored.
 */
export function foldVaultTables(
  contracts: VaultContract[],
  events: VaultEvent[],
  heads: Record<number, number>,
): FoldedTables {
  const tables: FoldedTables = Object.fromEntries(TABLES.map((table) => [table, new Map()]))
  const fold = new Fold(tables, contracts)
  for (const event of events) if (event.blockNumber <= (heads[event.chainId] ?? -1)) fold.add(event)
  return tables
}

/** All tables of `ponder.schema.ts` with rows about vaults. */
export const TABLES = [
  'vault_state',
  'vault_hour',
  'share_transfer',
  'share_balance',
  'exchange_rate',
  'vault_pause',
  'supply_cap',
  'fee_data',
  'fee_module_change',
  'vault_deposit',
  'teller_deposit',
  'bulk_withdrawal',
  'vault_exit',
  'withdrawal',
  'withdrawal_period',
  'withdrawal_request',
  'withdrawal_request_event',
  'withdrawal_demand',
] as const

const HOUR = 3_600
const DAY = 24 * HOUR

class Fold {
  readonly #tables: FoldedTables
  readonly #queues: Set<string>
  readonly #accountants: Map<string, VaultContract>

  constructor(tables: FoldedTables, contracts: VaultContract[]) {
    this.#tables = tables
    this.#queues = new Set(
      contracts
        .filter(({ kind }) => kind === 'queues')
        .map(({ chainId, address }) => `${chainId} ${address}`),
    )
    this.#accountants = new Map(
      contracts.map((entry) => [`${entry.chainId} ${entry.address}`, entry]),
    )
  }

  add(event: VaultEvent) {
    const { kind, name, args, chainId, vault, contract } = event
    const of = `${kind}.${name}`
    if (of === 'vault.OwnershipTransferred') {
      if (!this.#tables.vault_state?.has(`${chainId} ${vault}`)) this.#changeState(event, {})
      return
    }
    if (of === 'vault.Transfer') return this.#transfer(event)
    if (of === 'vault.Enter') return this.#supply(event, args.shares as bigint)
    if (of === 'vault.Exit') {
      this.#supply(event, -(args.shares as bigint))
      // The transfer of the burn went to the zero address.
      this.#hold(event, NOBODY, -(args.shares as bigint))
      return this.#put('vault_exit', [chainId, vault], {
        ...originOf(event),
        vault,
        asset: text(args.asset),
        recipient: text(args.to),
        account: text(args.from),
        assets: text(args.amount),
        shares: text(args.shares),
      })
    }
    if (of === 'accountants.ExchangeRateUpdated') return this.#rate(event)
    if (name === 'Paused' || name === 'Unpaused')
      return this.#fact('vault_pause', event, { vault, contract, is_paused: name === 'Paused' })
    if (kind === 'depositors' && name.startsWith('SupplyCap')) {
      const cap = text(args.newSupplyCapInBase ?? args.newSupplyCap)
      return this.#fact('supply_cap', event, { vault, depositor: contract, cap })
    }
    if (name === 'FeeDataUpdated')
      return this.#fact('fee_data', event, {
        module: contract,
        token: text(args.token),
        fee_percentage: text(args.feePercentage),
        flat_fee: text(args.flatFee),
      })
    if (name === 'FeeModuleUpdated')
      return this.#fact('fee_module_change', event, {
        vault,
        contract,
        module: text(args.newFeeModule),
      })
    if (kind === 'depositors' && name.startsWith('DepositWith'))
      return this.#fact('vault_deposit', event, {
        vault,
        depositor: contract,
        user_address: text(args.depositor),
        recipient: text(args.to),
        asset: text(args.depositAsset),
        amount: text(args.depositAmount),
        fee_amount: textOrNull(args.feeAmount),
        deposit_hash: text(args.depositHash),
        distributor_code_hash: text(args.distributorCode ?? args.communityCode),
      })
    if (of === 'tellers.Deposit')
      return this.#fact('teller_deposit', event, {
        vault,
        teller: contract,
        nonce: text(args.nonce),
        recipient: text(args.receiver),
        asset: text(args.depositAsset),
        amount: text(args.depositAmount),
        shares: text(args.shareAmount),
      })
    if (of === 'tellers.BulkWithdraw') return this.#bulkWithdraw(event)
    if (kind === 'queues') this.#queueEvent(event)
  }

  #put(table: string, key: unknown[], row: FoldedRow) {
    this.#tables[table]?.set(key.join(' '), row)
  }

  #fact(table: string, event: VaultEvent, row: FoldedRow) {
    this.#put(table, [event.chainId, event.transactionHash, event.logIndex], {
      ...originOf(event),
      ...row,
    })
  }

  #transfer(event: VaultEvent) {
    const { args, vault } = event
    const [from, to, amount] = [text(args.from), text(args.to), args.amount as bigint]
    const row = { vault, sender: from, recipient: to, amount: text(amount) }
    this.#fact('share_transfer', event, row)
    if (amount === 0n || from === to) return
    const before = this.#holders(event)
    if (from !== NOBODY) this.#hold(event, from, -amount)
    this.#hold(event, to, amount)
    const holders = this.#holders(event)
    if (holders !== before) this.#changeState(event, { holders })
  }

  #hold({ chainId, vault }: VaultEvent, account: string, change: bigint) {
    const known = this.#tables.share_balance?.get(`${chainId} ${vault} ${account}`)
    const balance = String(BigInt(String(known?.balance ?? 0)) + change)
    const row = { chain_id: chainId, vault, account, balance }
    this.#put('share_balance', [chainId, vault, account], row)
  }

  #holders({ chainId, vault }: VaultEvent): number {
    return [...(this.#tables.share_balance?.values() ?? [])].filter(
      (row) =>
        row.chain_id === chainId &&
        row.vault === vault &&
        row.account !== NOBODY &&
        row.balance !== '0',
    ).length
  }

  #supply(event: VaultEvent, change: bigint) {
    if (change === 0n) return
    this.#changeState(event, {
      supply: String(BigInt(String(this.#stateOf(event).supply)) + change),
      supply_block: String(event.blockNumber),
    })
  }

  #rate(event: VaultEvent) {
    const { args, vault, contract, blockNumber: block } = event
    const accountant = this.#accountants.get(`${event.chainId} ${contract}`)
    const is_in_use = !!accountant && block >= accountant.usedFrom && block <= accountant.usedTo
    const [old_rate, new_rate] = [text(args.oldRate), text(args.newRate)]
    this.#fact('exchange_rate', event, {
      vault,
      accountant: contract,
      old_rate,
      new_rate,
      is_in_use,
    })
    if (!is_in_use) return
    const state = this.#stateOf(event)
    const opening = state.first_block === String(block) ? new_rate : old_rate
    this.#changeState(event, {
      rate: new_rate,
      rate_block: String(block),
      opening_rate: state.opening_rate ?? opening,
    })
  }

  #stateOf({ chainId, vault, blockNumber, blockTimestamp }: VaultEvent): FoldedRow {
    return (
      this.#tables.vault_state?.get(`${chainId} ${vault}`) ?? {
        chain_id: chainId,
        vault,
        first_block: String(blockNumber),
        first_timestamp: String(blockTimestamp),
        supply: '0',
        holders: 0,
        supply_block: null,
        opening_rate: null,
        rate: null,
        rate_block: null,
      }
    )
  }

  #changeState(event: VaultEvent, changes: FoldedRow) {
    const { chainId, vault } = event
    const state = { ...this.#stateOf(event), ...changes }
    this.#put('vault_state', [chainId, vault], state)
    const { supply, holders, supply_block, rate, rate_block } = state as Record<string, string>
    const hour = periodEnd(event, HOUR)
    this.#put('vault_hour', [chainId, vault, hour], {
      chain_id: chainId,
      vault,
      hour,
      supply,
      holders,
      supply_block,
      rate,
      rate_block,
    } as FoldedRow)
  }

  /** The vault's last Exit, if it was in the same transaction. */
  #exitBefore({ chainId, vault, transactionHash }: VaultEvent): FoldedRow | null {
    const exit = this.#tables.vault_exit?.get(`${chainId} ${vault}`)
    return exit?.transaction_hash === transactionHash ? exit : null
  }

  #isQueue({ chainId }: VaultEvent, account: unknown) {
    return this.#queues.has(`${chainId} ${account}`)
  }

  #bulkWithdraw(event: VaultEvent) {
    const { args, vault, contract } = event
    const exit = this.#exitBefore(event)
    const [asset, shares] = [text(args.asset), text(args.shareAmount)]
    const { account = null, recipient = null, assets = null } = exit ?? {}
    this.#fact('bulk_withdrawal', event, {
      vault,
      teller: contract,
      asset,
      shares,
      account,
      recipient,
      assets,
    })
    if (exit && !this.#isQueue(event, exit.account))
      this.#paid(event, { asset, shares, assets: String(exit.assets), is_queued: false })
  }

  #paid(
    event: VaultEvent,
    paid: { asset: string; shares: string; assets: string; is_queued: boolean },
  ) {
    const { chainId, vault } = event
    this.#fact('withdrawal', event, { vault, ...paid })
    for (const seconds of [HOUR, DAY]) {
      const until = periodEnd(event, seconds)
      const key = [chainId, vault, paid.asset, seconds, until]
      const sum = this.#tables.withdrawal_period?.get(key.join(' '))
      const add = (column: 'shares' | 'assets') =>
        String(BigInt(String(sum?.[column] ?? 0)) + BigInt(paid[column]))
      this.#put('withdrawal_period', key, {
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

  #queueEvent(event: VaultEvent) {
    const { name, args } = event
    const isReceipt = name === 'Transfer'
    if (isReceipt && (args.from === NOBODY || args.to === NOBODY)) return
    const index = args.orderIndex ?? args.tokenId ?? args.startIndex
    const isRecorded = RECORDED_EVENTS.includes(name)
    if (isRecorded)
      this.#fact('withdrawal_request_event', event, {
        vault: event.vault,
        queue: event.contract,
        order_index: text(index),
        name,
        last_order_index: textOrNull(args.endIndex),
        holder: isReceipt ? text(args.to) : null,
      })
    const order = (args.order ?? {}) as Record<string, unknown>
    const failed = order.didOrderFailTransfer === true
    if (isReceipt) this.#changeOrder(event, index, { receiver: text(args.to) })
    if (name === 'OrderMarkedForRefund')
      this.#changeOrder(event, index, {
        is_marked_for_refund: true,
        is_marked_for_refund_by_user: args.isMarkedByUser === true,
      })
    if (name === 'OrderRefunded')
      this.#changeOrder(event, index, { is_refunded: true, did_fail_transfer: failed })
    if (name === 'OrderRefundFailed')
      this.#changeOrder(event, index, { is_refunded: true, did_fail_refund: true })
    if (name === 'OrderSubmitted') this.#submit(event, index, order)
    if (name !== 'OrderProcessed') return
    if (failed) return this.#changeOrder(event, index, { did_fail_transfer: true })
    const exit = this.#exitBefore(event)
    const offered = order.amountOffer as bigint
    const hasFigures = args.assetsOut !== undefined
    const fee = hasFigures
      ? text(args.feeAmount)
      : exit && String(offered - BigInt(String(exit.shares)))
    const assets = hasFigures ? text(args.assetsOut) : exit && String(exit.assets)
    this.#changeOrder(event, index, {
      is_paid: true,
      is_force_processed: args.isForceProcessed === true,
      fee_amount: fee,
      assets_out: assets,
      paid_at: String(event.blockTimestamp),
    })
    const asset = text(order.wantAsset)
    this.#paid(event, { asset, shares: text(offered), assets: assets ?? '0', is_queued: true })
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
      this.#tables.withdrawal_request?.get(`${chainId} ${contract} ${index}`) ?? {
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
      }
    )
  }

  #changeOrder(event: VaultEvent, index: unknown, changes: FoldedRow) {
    this.#put('withdrawal_request', [event.chainId, event.contract, index], {
      ...this.#orderOf(event, index),
      ...changes,
      last_block_number: String(event.blockNumber),
      last_block_timestamp: String(event.blockTimestamp),
    })
    this.#sumDemand(event, this.#orderOf(event, index).want_asset ?? null)
  }

  /** Computed anew from the orders that wait and are not marked for refund. */
  #sumDemand({ chainId, contract: queue }: VaultEvent, asset: FoldedRow[string]) {
    const asked = [...(this.#tables.withdrawal_request?.values() ?? [])].filter(
      (order) => order.chain_id === chainId && order.queue === queue && order.want_asset === asset,
    )
    // There is a row from the first order on, whatever its outcome.
    if (!asked.some((order) => order.is_submitted)) return
    const waiting = asked.filter(
      (order) =>
        order.is_submitted && !order.is_paid && !order.is_refunded && !order.is_marked_for_refund,
    )
    // A first request that was cancelled before its submission was emitted was never demand.
    const isKnown = this.#tables.withdrawal_demand?.has(`${chainId} ${queue} ${asset}`)
    if (waiting.length === 0 && !isKnown) return
    this.#put('withdrawal_demand', [chainId, queue, asset], {
      chain_id: chainId,
      queue,
      asset,
      order_count: waiting.length,
      shares: String(waiting.reduce((sum, order) => sum + BigInt(String(order.offer_amount)), 0n)),
    })
  }
}

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

function originOf(event: VaultEvent): FoldedRow {
  const { chainId, blockNumber, blockHash, blockTimestamp, transactionHash, logIndex } = event
  return {
    chain_id: chainId,
    block_number: String(blockNumber),
    block_hash: blockHash,
    block_timestamp: String(blockTimestamp),
    transaction_hash: transactionHash,
    log_index: logIndex,
  }
}

/** The end of the period that an event is in, as text. */
function periodEnd({ blockTimestamp }: VaultEvent, seconds: number): string {
  return String(Math.ceil(blockTimestamp / seconds) * seconds)
}

function text(value: unknown): string {
  return String(value)
}

function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}
