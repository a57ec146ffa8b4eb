import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { kindOfHex } from '../format/hexKind.ts'

/** Finds an order by its id or one of its transactions, and the orders of an address. */
export function SearchBox() {
  const navigate = useNavigate()
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    const kind = kindOfHex(text)
    setRefused(kind === null)
    if (kind) void navigate({ to: '/console/transit', search: { q: text } })
  }
  return (
    <search className="search">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          name="q"
          aria-label="Order id, transaction or address"
          placeholder="Order id, transaction or address"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isRefused}
          aria-describedby={isRefused ? 'search-refused' : undefined}
          onChange={() => setRefused(false)}
        />
      </form>
      {isRefused && (
        <p id="search-refused" className="search-refused" role="alert">
          Paste a whole order id or transaction (0x and 64 digits), or an address (0x and 40).
        </p>
      )}
    </search>
  )
}
