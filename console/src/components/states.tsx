import { CausewayError } from '@causeway/sdk'
import type { JoinedQuery } from '@causeway/sdk/react'
import type { ReactNode } from 'react'
import { KeyDialog } from '../app/KeyDialog.tsx'
import { SignInLink } from '../app/SignInLink.tsx'
import { sentence } from '../format/sentence.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { Time } from './Time.tsx'

type StateProps = { icon: IconName; title: string; children?: ReactNode; isAlert?: boolean }

/** A text in the place of data. */
export function State({ icon, title, children, isAlert = false }: StateProps) {
  return (
    <div className="state" role={isAlert ? 'alert' : undefined}>
      <span className="state-icon">
        <Icon name={icon} />
      </span>
      <p className="state-title">{title}</p>
      {children && <div className="muted">{children}</div>}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <State icon="empty" title={title}>
      {children}
    </State>
  )
}

/** In the place of a resource that is not known yet. The text comes after a moment, in which a known one is there. */
export function Awaited({ resource, children }: { resource: string; children: ReactNode }) {
  return (
    <Card title={`Waiting for the ${resource}`}>
      <div className="awaited" role="status">
        <Empty title={`No ${resource} is known by this id yet`}>{children}</Empty>
      </div>
    </Card>
  )
}

/** Grey lines in the place of rows. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div className="loading" role="status">
      <span className="hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        <span key={row} className="skeleton" />
      ))}
    </div>
  )
}

/** The caller may not see this: somebody who is signed in asks an owner, anybody else becomes a caller. */
export function NoPermission({ permission }: { permission: string | null }) {
  const { session, organization } = useSession()
  if (organization && permission)
    return (
      <State icon="key" title="Your role does not include this">
        {permission === 'admin' ? (
          <p>Only operators of the service see this.</p>
        ) : (
          <p>
            It needs the permission <code>{permission}</code> in {organization.name}. An owner of
            the organization can change your role.
          </p>
        )}
      </State>
    )
  return (
    <State icon="key" title={session?.signIn ? 'Sign in to see this' : 'This needs an API key'}>
      <p>
        {session?.signIn
          ? 'It belongs to an organization: sign in as a member, or use one of its API keys.'
          : 'Use a key of your organization.'}
        {permission && (
          <>
            {' '}
            The key must have the permission <code>{permission}</code>.
          </>
        )}
      </p>
      <div className="page-actions">
        {session?.signIn && <SignInLink />}
        <KeyDialog />
      </div>
    </State>
  )
}

type FailureProps = { error: unknown; retry: () => void }

/** A failure in plain words, with the request's id for support. */
export function Failure({ error, retry }: FailureProps) {
  const known = error instanceof CausewayError ? error : null
  if (known?.reason === 'UNAUTHENTICATED') return <NoPermission permission={null} />
  if (known?.reason === 'PERMISSION_DENIED')
    return <NoPermission permission={String(known.metadata.permission ?? '') || null} />
  return (
    <State icon="alert" title={titleOf(known)} isAlert>
      <p>{sentence(known?.message ?? String(error))}</p>
      {known?.requestId && (
        <p>
          Request <code>{known.requestId}</code>
        </p>
      )}
      <Button onClick={retry}>Try again</Button>
    </State>
  )
}

function titleOf(error: CausewayError | null): string {
  switch (error?.reason) {
    case 'CONNECTION_FAILED':
    case 'TIMED_OUT':
      return 'The API does not answer'
    case 'INDEX_CATCHING_UP':
      return 'The index is catching up'
    case 'RATE_LIMITED':
      return 'Too many requests'
    default:
      return 'This could not be loaded'
  }
}

export type AnsweredQuery<Data> = Pick<
  JoinedQuery<Data>,
  'data' | 'isError' | 'isPlaceholderData' | 'dataUpdatedAt' | 'refetch'
> & { error: Error | null }

type AnswerProps<Data> = {
  query: AnsweredQuery<Data>
  rows?: number
  children: (data: Data) => ReactNode
}

/**
 * An answer in each of its states. Data that was read stays when a later read fails, with a note of its age. While the rows of
 * a new filter are read, those of the filter before are dimmed.
 */
export function Answered<Data>({ query, rows, children }: AnswerProps<Data>) {
  const retry = () => void query.refetch()
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <StaleNote since={new Date(query.dataUpdatedAt)} retry={retry} />}
        <div className="answer" aria-busy={query.isPlaceholderData}>
          {children(query.data)}
        </div>
      </>
    )
  if (query.isError) return <Failure error={query.error} retry={retry} />
  return <Loading rows={rows ?? 4} />
}

/** Stands above data that could not be read again. */
function StaleNote({ since, retry }: { since: Date; retry: () => void }) {
  return (
    <p className="note warn" role="status">
      <Icon name="alert" />
      <span>
        Not up to date: last read <Time time={since} />.
      </span>
      <Button isSmall onClick={retry}>
        Try again
      </Button>
    </p>
  )
}
