import { SecretDialog } from '../components/SecretDialog.tsx'

/** The secret of a new key, and a first call with it. */
export function NewKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title="Your new key"
      about="Keep it where your program finds it, and nowhere else: it is not shown again."
      of="API key"
      secret={secret}
      onClose={onClose}
    >
      <p className="dialog-part">A first call with it:</p>
      <pre className="call">{`curl ${location.origin}/v2/earn/vaults \\\n  -H 'x-api-key: …'`}</pre>
    </SecretDialog>
  )
}
