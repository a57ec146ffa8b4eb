import { useMutation } from '@tanstack/react-query'
import { Field } from '../components/Field.tsx'
import { QrCode } from '../components/QrCode.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { SecretText } from '../components/SecretText.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'

export type NewSecondFactor = { totpUri: string; recoveryCodes: string[] }
type Props = { made: NewSecondFactor; onDone: () => Promise<void> }

/** Shows the secret for the app, and takes its first code. Until then the second factor is off. */
export function SecondFactorSetUp({ made, onDone }: Props) {
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
        <button type="submit" className="button primary" disabled={confirm.isPending}>
          Turn it on
        </button>
      </div>
    </form>
  )
}
