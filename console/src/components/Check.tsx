import type { ComponentProps } from 'react'

type Props = ComponentProps<'input'> & { label: string; about?: string | undefined }

/** A box to tick, or with the type `radio` one of several choices. */
export function Check({ label, about, type = 'checkbox', ...input }: Props) {
  return (
    <label className="check">
      <input type={type} {...input} />
      <span>
        {label}
        {about && <span className="muted"> {about}</span>}
      </span>
    </label>
  )
}
