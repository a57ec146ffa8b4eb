import type { ComponentProps } from 'react'
import { Field } from './Field.tsx'

/** The API refuses new passwords of other lengths. */
const NEW = { autoComplete: 'new-password', minLength: 12, maxLength: 128 }
const PRESENT = { autoComplete: 'current-password' }

type Props = ComponentProps<typeof Field> & { isNew?: boolean }

/** The password of a person, or a new one. */
export function PasswordField({ isNew = false, ...field }: Props) {
  return <Field {...field} {...(isNew ? NEW : PRESENT)} type="password" required />
}
