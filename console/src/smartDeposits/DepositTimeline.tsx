import { Link } from '@tanstack/react-router'
import type { TokenMap } from '../api/tokens.ts'
import { OnChain } from '../chains/OnChain.tsx'
import { Timeline } from '../components/Timeline.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { shortHex } from '../format/shortHex.ts'
import { type DepositEntry, depositEntries } from './depositEntries.ts'
import { paidOf, type SmartDeposit } from './depositStatus.ts'

type Props = {
  deposit: SmartDeposit
  tokens: TokenMap
  /** The deposit that tries this one again, once it has ended. */
  retry: SmartDeposit | undefined
}

/** The life of a payment: arrived, forwarded, in the vault; or why not, and where it is. */
export function DepositTimeline({ deposit, tokens, retry }: Props) {
  const items = depositEntries(deposit).map((entry) => ({
    ...entry,
    time: entry.event?.timestamp ?? null,
    isBad: entry.kind === 'failed' || entry.kind === 'reverted',
    facts: entry.event && <Facts deposit={deposit} entry={entry} tokens={tokens} />,
  }))
  return (
    <>
      {deposit.retryOf && (
        <p className="note info">
          This tries again what was delayed: <DepositLink depositId={deposit.retryOf} />
        </p>
      )}
      <Timeline items={items} />
      {retry && (
        <p className="note info">
          It was tried again: <DepositLink depositId={retry.depositId} />
        </p>
      )}
    </>
  )
}

function DepositLink({ depositId }: { depositId: string }) {
  return (
    <Link to="/console/smart-deposits/$depositId" params={{ depositId }} className="mono">
      {shortHex(depositId)}
    </Link>
  )
}

type FactsProps = Pick<Props, 'deposit' | 'tokens'> & { entry: DepositEntry }

function Facts({ deposit, entry: { kind, event }, tokens }: FactsProps) {
  if (!event) return null
  const { chainId, originChainId } = deposit
  const paid = paidOf(deposit)
  const ended = event.forwardTxHash ?? event.recoveryTxHash
  // An order ends the deposit on the chain of the vault. Without one it ends where it was paid.
  const endedOn = originChainId === undefined || deposit.convertTxHash ? chainId : originChainId
  const tx = kind === 'pending' ? event.receiptTxHash : (ended ?? event.convertTxHash)
  return (
    <>
      {kind === 'pending' && <TokenAmount tokens={tokens} {...paid} />}
      {kind === 'confirmed' && deposit.mintedAmount !== undefined && (
        <TokenAmount
          amount={deposit.mintedAmount}
          tokens={tokens}
          chainId={chainId}
          token={deposit.vaultAddress}
        />
      )}
      {kind === 'failed' && deposit.error && <span>{deposit.error}</span>}
      {tx && <OnChain chainId={ended ? endedOn : paid.chainId} hex={tx} kind="tx" />}
    </>
  )
}
