import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { LocalSignIn } from './LocalSignIn.tsx'
import { SignInForm } from './SignInForm.tsx'

/** Asks for the password or a code before a secret is shown. */
export function ProofDialog({ onEnd }: { onEnd: (isProved: boolean) => void }) {
  const { session } = useSession()
  const member = session?.member
  const path = location.pathname + location.search
  // Nobody knows the password of the local world's operator.
  const isLocal = session?.signIn?.local && member?.isOperator
  return (
    <ModalDialog
      title="Confirm that it is you"
      about="The answer shows a secret, and your last sign-in was some time ago."
      onClose={() => onEnd(false)}
    >
      {isLocal && <LocalSignIn onDone={() => onEnd(true)} />}
      {member?.hasPassword ? (
        <ProofForm hasSecondFactor={member.hasSecondFactor} onEnd={onEnd} />
      ) : (
        <SignInForm returnPath={path} onDone={() => onEnd(true)} />
      )}
    </ModalDialog>
  )
}

type FormProps = { hasSecondFactor: boolean; onEnd: (isProved: boolean) => void }

function ProofForm({ hasSecondFactor, onEnd }: FormProps) {
  const [isCode, setCode] = useState(false)
  const confirm = useMutation({
    mutationFn: (body: { password: string } | { code: string }) =>
      askConsole('/reauthenticate', body),
    onSuccess: () => onEnd(true),
  })
  return (
    <form
      onSubmit={(event) => {
        const proof = takeTexts(event)('proof')
        confirm.mutate(isCode ? { code: proof.trim() } : { password: proof })
      }}
    >
      <Field
        key={String(isCode)}
        label={isCode ? 'Code of your authenticator app' : 'Password'}
        name="proof"
        type={isCode ? 'text' : 'password'}
        inputMode={isCode ? 'numeric' : 'text'}
        autoComplete={isCode ? 'one-time-code' : 'current-password'}
        required
      />
      <Refusal error={confirm.error} />
      {hasSecondFactor && (
        <button type="button" className="link" onClick={() => setCode(!isCode)}>
          {isCode ? 'Use your password' : 'Use a code'}
        </button>
      )}
      <div className="dialog-actions">
        <Button onClick={() => onEnd(false)}>Cancel</Button>
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
