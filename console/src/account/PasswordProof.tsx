import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'

type Props = { isPending: boolean; onCancel: () => void; onGiven: (password: string) => void }

/** Asks for the password before the second factor is changed. */
export function PasswordProof({ isPending, onCancel, onGiven }: Props) {
  return (
    <form onSubmit={(event) => onGiven(takeTexts(event)('password'))}>
      <Field
        label="Your password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      <div className="page-actions">
        <button type="submit" className="button primary" disabled={isPending}>
          Continue
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
