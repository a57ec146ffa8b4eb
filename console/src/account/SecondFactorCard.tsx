import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { askConsole } from '../session/askConsole.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { PasswordProof } from './PasswordProof.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { type NewSecondFactor, SecondFactorSetUp } from './SecondFactorSetUp.tsx'

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
                <button type="button" className="button" onClick={() => setStep('new codes')}>
                  New recovery codes
                </button>
                <button type="button" className="button" onClick={() => setStep('disable')}>
                  Turn it off
                </button>
              </>
            ) : (
              <button type="button" className="button primary" onClick={() => setStep('set up')}>
                Set it up
              </button>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}
