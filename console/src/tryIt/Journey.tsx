import { CausewayError } from '@causeway/sdk'
import { useState } from 'react'
import { BaseError } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Icon } from '../components/Icon.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { type Form, RequestStep } from './RequestStep.tsx'
import { SignatureStep } from './SignatureStep.tsx'
import type { Step } from './step.ts'
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

type StepListProps = { steps: readonly Step[]; walletName: string }

/** The steps of a journey in their order. */
function StepList({ steps, walletName }: StepListProps) {
  const [form, setForm] = useState<Form>('curl')
  return (
    <ol className="journey">
      {steps.map((step) => (
        <li key={step.id} className="card step">
          {step.kind === 'request' && (
            <RequestStep exchange={step.exchange} form={form} chooseForm={setForm} />
          )}
          {step.kind === 'signature' && <SignatureStep step={step} walletName={walletName} />}
          {step.kind === 'sent' && (
            <div className="step-head">
              <h3>Transaction sent</h3>
              <span className="step-facts">
                <ChainName chainId={step.chainId} />
                <OnChain chainId={step.chainId} hex={step.hash} kind="tx" />
              </span>
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
