import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { askConsole } from '../session/askConsole.ts'

/** Changes the password, which ends all other sessions. */
export function PasswordCard() {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      askConsole('/password', body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Card title="Password">
      <form
        // The fields are empty again after a change.
        key={change.submittedAt && change.isSuccess ? change.submittedAt : 0}
        onSubmit={(event) => {
          const text = takeTexts(event)
          change.mutate({ currentPassword: text('current'), newPassword: text('new') })
        }}
      >
        <PasswordField label="Present password" name="current" />
        <PasswordField
          isNew
          label="New password"
          name="new"
          hint="12 to 128 characters. All your other sessions end."
        />
        <Refusal error={change.error} />
        {change.isSuccess && (
          <p className="note good" role="status">
            The password was changed.
          </p>
        )}
        <div>
          <Button type="submit" disabled={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  )
}
