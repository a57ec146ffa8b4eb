import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Page } from '../components/Page.tsx'
import { Empty, Failure, Loading } from '../components/states.tsx'

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty title="There is no such page">
        <Link to="/console" className="button">
          To the overview
        </Link>
      </Empty>
    </Page>
  )
}

export function Crashed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="Something failed">
      <Failure error={error} retry={reset} />
    </Page>
  )
}

export function Waiting() {
  return <Loading rows={6} />
}
