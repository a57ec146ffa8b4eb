import { CausewayError } from '@causeway/sdk'
import { type ReactNode, useState } from 'react'
import { BaseError } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { Icon } from '../components/Icon.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { type Form, RequestStep } from './RequestStep.tsx'
import { SignatureStep } from './SignatureStep.tsx'
import type { Step } from './step.ts'
import type { useJourney } from './useJourney.ts'
import type { Wallet } from './wallet.ts'

type Props = {
  title: string
  /** The text of the button that begins the journey. */
  action: string
  journey: ReturnType<typeof useJourney>
  wallet: Wallet
  /** Takes a reader of the texts, by the names of the fields. */
  onSubmit: (text: (name: string) => string) => void
  /** A sentence below the form. */
  about?: string
  /** The fields. */
  children: ReactNode
}

/** The form that begins a journey, and below it the journey's steps and how it failed. */
export function Journey({ title, action, journey, wallet, onSubmit, about, children }: Props) {
  const { steps, failure, isRunning } = journey
  return (
    <>
      <Card title={title}>
        <form className="form-row" onSubmit={(event) => onSubmit(takeTexts(event))}>
          {children}
          <Button type="submit" look="primary" disabled={isRunning}>
            {action}
          </Button>
        </form>
        {about && <p className="muted">{about}</p>}
      </Card>
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
