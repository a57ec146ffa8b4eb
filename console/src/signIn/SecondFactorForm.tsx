import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'

type Props = { onDone: () => Promise<void>; onBack: () => void }

/** Takes the code of an authenticator app, or a recovery code. */
export function SecondFactorForm({ onDone, onBack }: Props) {
  const [isRecovery, setRecovery] = useState(false)
  const confirm = useMutation({
    mutationFn: (body: { code: string } | { recoveryCode: string }) =>
      askConsole('/sign-in/second-factor', body),
    onSuccess: onDone,
  })
  return (
    <form
      onSubmit={(event) => {
        const code = takeTexts(event)('code').trim()
        confirm.mutate(isRecovery ? { recoveryCode: code } : { code })
      }}
    >
      <Field
        key={String(isRecovery)}
        label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
        name="code"
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        hint={isRecovery ? 'Each recovery code works once.' : 'Six digits, new every 30 seconds.'}
        required
      />
      <Refusal error={confirm.error} />
      <Button type="submit" look="primary" disabled={confirm.isPending}>
        Confirm
      </Button>
      <div className="form-links">
        <button type="button" className="link" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use a code of the app' : 'Use a recovery code'}
        </button>
        <button type="button" className="link" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  )
}
