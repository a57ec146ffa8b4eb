import { type ReactNode, useEffect } from 'react'

type Props = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page with its heading, which is the title of the window too. */
export function Page({ title, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Causeway`
  }, [title])
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {about && <p className="muted">{about}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}
