import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { CopyButton } from '../components/CopyButton.tsx'
import { Field } from '../components/Field.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { QrCode } from '../components/QrCode.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { SecretText } from '../components/SecretText.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'
import { useSession } from '../session/SessionProvider.tsx'

type Step = 'set up' | 'disable' | 'new codes' | null

/** Sets up codes of an authenticator app, makes new recovery codes, or goes back to the password alone. */
export function SecondFactorCard({ isOn }: { isOn: boolean }) {
  const { refresh } = useSession()
  const [step, setStep] = useState<Step>(null)
  const [setUp, setSetUp] = useState<NewSecondFactor | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const act = useMutation({
    mutationFn: async (password: string) => {
      if (step === 'set up')
        return setSetUp(await askConsole<NewSecondFactor>('/second-factor', { password }))
      if (step === 'disable') {
        await askConsole('/second-factor/disable', { password })
        return refresh()
      }
      const path = '/second-factor/recovery-codes'
      const made = await askConsole<{ recoveryCodes: string[] }>(path, { password })
      setCodes(made.recoveryCodes)
    },
    onSuccess: () => setStep(null),
  })
  return (
    <Card
      title="Second factor"
      actions={<Badge tone={isOn ? 'good' : 'warn'}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      <div className="stack">
        <p className="muted">
          With it, a sign-in also needs a code of an authenticator app. A stolen password alone is
          then of no use.
        </p>
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
        {setUp && (
          <SecondFactorSetUp
            made={setUp}
            onDone={async () => {
              await refresh()
              setCodes(setUp.recoveryCodes)
              setSetUp(null)
            }}
          />
        )}
        {step && (
          <PasswordProof
            isPending={act.isPending}
            onCancel={() => setStep(null)}
            onGiven={(password) => act.mutate(password)}
          />
        )}
        {step && <Refusal error={act.error} />}
        {!step && !setUp && !codes && (
          <div className="page-actions">
            {isOn ? (
              <>
                <Button onClick={() => setStep('new codes')}>New recovery codes</Button>
                <Button onClick={() => setStep('disable')}>Turn it off</Button>
              </>
            ) : (
              <Button look="primary" onClick={() => setStep('set up')}>
                Set it up
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}

type NewSecondFactor = { totpUri: string; recoveryCodes: string[] }
type SecondFactorSetUpProps = { made: NewSecondFactor; onDone: () => Promise<void> }

/** Shows the secret for the app, and takes its first code. Until then the second factor is off. */
function SecondFactorSetUp({ made, onDone }: SecondFactorSetUpProps) {
  const confirm = useMutation({
    mutationFn: (code: string) => askConsole('/second-factor/confirm', { code }),
    onSuccess: onDone,
  })
  const secret = new URL(made.totpUri).searchParams.get('secret') ?? ''
  return (
    <form onSubmit={(event) => confirm.mutate(takeTexts(event)('code').trim())}>
      <p>Scan this with your authenticator app, or enter the secret there.</p>
      <QrCode text={made.totpUri} label="QR code of the secret" />
      <SecretText text={secret} of="secret" />
      <Field
        label="Code of the app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
      <Refusal error={confirm.error} />
      <div>
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          Turn it on
        </Button>
      </div>
    </form>
  )
}

/** Recovery codes, which are shown once. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="stack">
      <p>
        <strong>Keep these recovery codes.</strong> Each one signs you in once without the app. They
        are not shown again, and former codes no longer work.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="page-actions">
        <Button look="primary" onClick={onDone}>
          I have kept them
        </Button>
        <CopyButton text={codes.join('\n')} of="recovery codes" />
      </div>
    </div>
  )
}

type PasswordProofProps = {
  isPending: boolean
  onCancel: () => void
  onGiven: (password: string) => void
}

/** Asks for the password before the second factor is changed. */
function PasswordProof({ isPending, onCancel, onGiven }: PasswordProofProps) {
  return (
    <form onSubmit={(event) => onGiven(takeTexts(event)('password'))}>
      <PasswordField label="Your password" name="password" />
      <div className="page-actions">
        <Button type="submit" look="primary" disabled={isPending}>
          Continue
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
