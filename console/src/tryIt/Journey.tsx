import { CausewayError } from '@causeway/sdk'
import { BaseError } from 'viem'
import { Icon } from '../components/Icon.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { StepList } from './StepList.tsx'
import type { useJourney } from './useJourney.ts'
import type { Wallet } from './wallet.ts'

type Props = { journey: ReturnType<typeof useJourney>; wallet: Wallet }

/** The steps of a journey and how it failed, under the form that began it. */
export function Journey({ journey: { steps, failure }, wallet }: Props) {
  return (
    <>
      {steps.length > 0 && <StepList steps={steps} walletName={wallet.name} />}
      {failure instanceof CausewayError || !failure ? (
        <Refusal error={failure} />
      ) : (
        <div className="note bad" role="alert">
          <Icon name="alert" />
          <p>
            {failure instanceof BaseError
              ? failure.details || failure.shortMessage
              : String(failure)}
          </p>
        </div>
      )}
    </>
  )
}
