import { type ReactNode, useEffect } from 'react'
import { Brand } from './Brand.tsx'
import { ThemeButton } from './ThemeButton.tsx'

/** A page without the navigation, for people who are not signed in yet. */
export function BarePage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Causeway`
  }, [title])
  return (
    <div className="bare">
      <header>
        <Brand />
        <ThemeButton />
      </header>
      <main>
        <section className="card bare-card">
          <h1>{title}</h1>
          {children}
        </section>
      </main>
    </div>
  )
}
