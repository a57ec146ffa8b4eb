import { useState } from 'react'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { type Form, RequestStep } from './RequestStep.tsx'
import { SignatureStep } from './SignatureStep.tsx'
import type { Step } from './step.ts'

type Props = { steps: readonly Step[]; walletName: string }

/** The steps of a journey in their order. */
export function StepList({ steps, walletName }: Props) {
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
