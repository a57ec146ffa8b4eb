import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Loading } from '../components/states.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { safePath, takeReturnPath } from '../signIn/returnPath.ts'
import { Brand } from './Brand.tsx'
import { Drawer } from './Drawer.tsx'
import { Navigation } from './Navigation.tsx'
import { OrganizationChooser } from './OrganizationChooser.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { SearchBox } from './SearchBox.tsx'
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
