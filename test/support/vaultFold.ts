import {
  type FoldedRow,
  FoldedRows,
  type FoldedTables,
  NOBODY,
  originOf,
  text,
  textOrNull,
} from './foldedRows.ts'
import { HoldingFold } from './holdingFold.ts'
import { HOUR, periodEnd } from './periodEnd.ts'
import type { VaultContract, VaultEvent } from './vaultLogs.ts'
import { WithdrawalFold } from './withdrawalFold.ts'

/**
 * The rows of the index's vault tables after these events, computed without the index's code. Events of
 * each chain come in the chain's order (`readVaultEvents`); events above a chain's head are ignored.
 */
export function foldVaultTables(
  contracts: VaultContract[],
  events: VaultEvent[],
  heads: Record<number, number>,
): FoldedTables {
  const rows = new FoldedRows()
  const fold = new Fold(rows, contracts)
  const transactionOf = (event: VaultEvent) => `${event.chainId} ${event.transactionHash}`
  const together = Map.groupBy(events, transactionOf)
  for (const event of events)
    if (event.blockNumber <= (heads[event.chainId] ?? -1))
      fold.add(event, together.get(transactionOf(event)) ?? [])
  return rows.tables
}

class Fold {
  readonly #rows: FoldedRows
  readonly #holdings: HoldingFold
  readonly #withdrawals: WithdrawalFold
  readonly #accountants: Map<string, VaultContract>

  constructor(rows: FoldedRows, contracts: VaultContract[]) {
    this.#rows = rows
    this.#holdings = new HoldingFold(rows, contracts)
    this.#withdrawals = new WithdrawalFold(rows, this.#holdings)
    this.#accountants = new Map(
      contracts.map((entry) => [`${entry.chainId} ${entry.address}`, entry]),
    )
  }

  /** `together` has all events of its transaction. */
  add(event: VaultEvent, together: VaultEvent[]) {
    const { kind, name, args, chainId, vault, contract } = event
    const of = `${kind}.${name}`
    if (of === 'vault.OwnershipTransferred') {
      if (!this.#rows.get('vault_state', [chainId, vault])) this.#changeState(event, {})
      return
    }
    if (of === 'vault.Transfer') return this.#transfer(event, together)
    if (of === 'vault.Enter') {
      this.#supply(event, args.shares as bigint)
      if (args.to === NOBODY) this.#holdings.nobody(event, args.shares as bigint)
      return this.#holdings.entry(event)
    }
    if (of === 'vault.Exit') {
      this.#supply(event, -(args.shares as bigint))
      // The transfer of the burn went to the zero address.
      this.#holdings.nobody(event, -(args.shares as bigint))
      return this.#rows.put('vault_exit', [chainId, vault], {
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
    if (of === 'accountants.ManagementFeesAccrued')
      return this.#accrue(event, args.managementFees as bigint)
    if (of === 'accountants.PerformanceFeesAccrued')
      return this.#accrue(event, this.#accruedIn(event) + (args.performanceFees as bigint))
    if (name === 'Paused' || name === 'Unpaused')
      return this.#rows.fact('vault_pause', event, {
        vault,
        contract,
        is_paused: name === 'Paused',
      })
    if (kind === 'depositors' && name.startsWith('SupplyCap')) {
      const cap = text(args.newSupplyCapInBase ?? args.newSupplyCap)
      return this.#rows.fact('supply_cap', event, { vault, depositor: contract, cap })
    }
    if (name === 'FeeDataUpdated')
      return this.#rows.fact('fee_data', event, {
        module: contract,
        token: text(args.token),
        fee_percentage: text(args.feePercentage),
        flat_fee: text(args.flatFee),
      })
    if (name === 'FeeModuleUpdated')
      return this.#rows.fact('fee_module_change', event, {
        vault,
        contract,
        module: text(args.newFeeModule),
      })
    if (kind === 'depositors' && name.startsWith('DepositWith')) {
      this.#holdings.deposit(
        event,
        together.filter(
          ({ vault: ofVault, logIndex }) => ofVault === vault && logIndex < event.logIndex,
        ),
      )
      return this.#rows.fact('vault_deposit', event, {
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
    }
    if (of === 'tellers.Deposit')
      return this.#rows.fact('teller_deposit', event, {
        vault,
        teller: contract,
        nonce: text(args.nonce),
        recipient: text(args.receiver),
        asset: text(args.depositAsset),
        amount: text(args.depositAmount),
        shares: text(args.shareAmount),
      })
    if (of === 'tellers.BulkWithdraw') return this.#withdrawals.bulkWithdraw(event)
    if (kind === 'queues') this.#withdrawals.queueEvent(event)
  }

  #transfer(event: VaultEvent, together: VaultEvent[]) {
    const before = this.#holders(event)
    const later = together.filter(({ logIndex }) => logIndex > event.logIndex)
    this.#holdings.transfer(event, later)
    const holders = this.#holders(event)
    if (holders !== before) this.#changeState(event, { holders })
  }

  #holders({ chainId, vault }: VaultEvent): number {
    return this.#rows
      .all('share_balance')
      .filter(
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
    this.#rows.fact('exchange_rate', event, {
      vault,
      accountant: contract,
      old_rate,
      new_rate,
      is_in_use,
      fees_accrued: this.#accrualIn(event) ? String(this.#accruedIn(event)) : null,
      supply: this.#stateOf(event).supply ?? '0',
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

  #accrue({ chainId, contract, transactionHash }: VaultEvent, amount: bigint) {
    this.#rows.put('accountant_accrual', [chainId, contract], {
      chain_id: chainId,
      accountant: contract,
      transaction_hash: transactionHash,
      amount: String(amount),
    })
  }

  /** The fees that the accountant accrued in the same transaction. */
  #accrualIn({ chainId, contract, transactionHash }: VaultEvent): FoldedRow | null {
    const accrual = this.#rows.get('accountant_accrual', [chainId, contract])
    return accrual?.transaction_hash === transactionHash ? accrual : null
  }

  #accruedIn(event: VaultEvent): bigint {
    return BigInt(String(this.#accrualIn(event)?.amount ?? 0))
  }

  #stateOf({ chainId, vault, blockNumber, blockTimestamp }: VaultEvent): FoldedRow {
    return (
      this.#rows.get('vault_state', [chainId, vault]) ?? {
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
    this.#rows.put('vault_state', [chainId, vault], state)
    const { supply, holders, supply_block, rate, rate_block } = state as Record<string, string>
    const hour = periodEnd(event, HOUR)
    this.#rows.put('vault_hour', [chainId, vault, hour], {
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
}
