import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Brand } from './Brand.tsx'
import { Drawer } from './Drawer.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { Navigation } from './Navigation.tsx'
import { SearchBox } from './SearchBox.tsx'
import { ThemeButton } from './ThemeButton.tsx'

/** The frame of every page. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    // A screen reader goes on at the new page, not at the link that led there.
    main.current?.focus()
    scrollTo(0, 0)
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <aside className="side">
        <Brand />
        <Navigation />
      </aside>
      <header className="top">
        <Drawer />
        <SearchBox />
        <div className="top-actions">
          <KeyDialog />
          <ThemeButton />
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
