import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { Dialog } from 'radix-ui'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { Loading } from '../components/states.tsx'
import { kindOfHex } from '../format/hexKind.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { safePath, takeReturnPath } from '../signIn/returnPath.ts'
import { Brand } from './Brand.tsx'
import { Navigation } from './Navigation.tsx'
import { OrganizationChooser } from './OrganizationChooser.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { ThemeButton } from './ThemeButton.tsx'

const EndedDialog = lazy(async () => {
  const { EndedDialog: component } = await import('../signIn/EndedDialog.tsx')
  return { default: component }
})

/** Pages that have no navigation. */
const BARE_PATHS = ['/console/sign-in', '/console/invitation']

/** The frame of every page. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const { session, isEnded } = useSession()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    // A screen reader goes on at the new page, not at the link that led there.
    main.current?.focus()
    scrollTo(0, 0)
  }, [path])
  const router = useRouter()
  const isSignedIn = Boolean(session?.member)
  useEffect(() => {
    const kept = isSignedIn ? takeReturnPath() : null
    if (kept) router.history.replace(safePath(kept))
  }, [isSignedIn, router])
  if (BARE_PATHS.includes(path)) return <Outlet />
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <aside className="side">
        <Brand />
        <OrganizationChooser />
        <Navigation />
      </aside>
      <header className="top">
        <Drawer />
        <SearchBox />
        <div className="top-actions">
          <PersonMenu />
          <ThemeButton />
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        {session ? <Outlet /> : <Loading rows={6} />}
      </main>
      {isEnded && (
        <Suspense>
          <EndedDialog />
        </Suspense>
      )}
    </div>
  )
}

/** The navigation of narrow screens. */
function Drawer() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="icon-button menu-button" aria-label="Open the menu">
        <Icon name="menu" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <div className="backdrop" />
        <Dialog.Content className="drawer" aria-describedby={undefined}>
          <div className="drawer-head">
            <Brand />
            <Dialog.Title className="hidden">Menu</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close the menu">
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <OrganizationChooser />
          <Navigation onChosen={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Finds an order by its id or one of its transactions, and the orders of an address. */
function SearchBox() {
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
