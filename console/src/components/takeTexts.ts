import type { FormEvent } from 'react'

/** Reads the texts of a form that is submitted, by the names of its fields. The browser does not send the form itself. */
export function takeTexts(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => {
    const given = data.get(name)
    return typeof given === 'string' ? given : ''
  }
}
