import { useEffect, useRef } from 'react'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { CodeBlock } from '../components/CodeBlock.tsx'
import { Fact } from '../components/Fact.tsx'
import type { Step } from './step.ts'

type Props = { step: Extract<Step, { kind: 'signature' }>; walletName: string }

/** Shows the data to sign, and asks the user to sign or to refuse. */
export function SignatureStep({ step: { wish, state, decide }, walletName }: Props) {
  const sign = useRef<HTMLButtonElement>(null)
  // The journey waits for this button.
  useEffect(() => sign.current?.focus(), [])
  return (
    <>
      <div className="step-head">
        <h3>{wish.title}</h3>
        {state === 'signed' && <Badge tone="good">Signed</Badge>}
        {state === 'refused' && <Badge tone="bad">Not signed</Badge>}
        {state === 'waiting' && <Badge tone="warn">Your signature</Badge>}
      </div>
      <p>{wish.about}</p>
      {wish.checked && (
        <p className="checked">
          <Badge tone="good">Checked</Badge> {wish.checked}
        </p>
      )}
      <dl className="facts sign-facts">
        {wish.facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <details>
        <summary>All that is signed</summary>
        <CodeBlock of="signed data" text={wish.signed} />
      </details>
      {state === 'waiting' && (
        <div className="form-actions">
          <Button ref={sign} look="primary" onClick={() => decide(true)}>
            Sign with {walletName}
          </Button>
          <Button onClick={() => decide(false)}>Do not sign</Button>
        </div>
      )}
    </>
  )
}
