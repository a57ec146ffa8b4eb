import { Link } from '@tanstack/react-router'
import { Icon, type IconName } from '../components/Icon.tsx'
import { useSession } from '../session/SessionProvider.tsx'

type Section = {
  title: string | null
  isForOperators?: boolean
  entries: readonly { to: string; name: string; icon: IconName }[]
}

const SECTIONS = [
  {
    title: null,
    entries: [
      { to: '/console', name: 'Overview', icon: 'overview' },
      { to: '/console/transit', name: 'Orders', icon: 'transit' },
      { to: '/console/routes', name: 'Routes', icon: 'routes' },
      { to: '/console/earn', name: 'Earn', icon: 'earn' },
      { to: '/console/smart-deposits', name: 'Smart deposits', icon: 'inbox' },
      { to: '/console/try', name: 'Try it', icon: 'play' },
    ],
  },
  {
    title: 'Developers',
    entries: [
      { to: '/console/keys', name: 'API keys', icon: 'key' },
      { to: '/console/usage', name: 'Usage', icon: 'usage' },
      { to: '/console/requests', name: 'Request log', icon: 'log' },
      { to: '/console/webhooks', name: 'Webhooks', icon: 'webhook' },
      { to: '/console/events', name: 'Event log', icon: 'events' },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { to: '/console/members', name: 'Members', icon: 'people' },
      { to: '/console/audit', name: 'Audit log', icon: 'book' },
    ],
  },
  {
    title: 'Administration',
    isForOperators: true,
    entries: [
      { to: '/console/admin/organizations', name: 'Organizations', icon: 'people' },
      { to: '/console/admin/routes', name: 'Stop routes', icon: 'stop' },
      { to: '/console/admin/index', name: 'Index builds', icon: 'layers' },
      { to: '/console/admin/keepers', name: 'Keeper', icon: 'keeper' },
      { to: '/console/admin/rehearsal', name: 'Rehearsal', icon: 'check' },
      { to: '/console/admin/audit', name: 'Complete audit log', icon: 'log' },
    ],
  },
] as const satisfies readonly Section[]

const DOCUMENTS = [
  { href: '/docs/', name: 'Documentation' },
  { href: '/docs/reference', name: 'API reference' },
  { href: '/graphiql', name: 'GraphiQL' },
] as const

/** The pages of the console, and the documents beside it. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const isOperator = useSession().session?.member?.isOperator ?? false
  const sections = SECTIONS.filter((section: Section) => isOperator || !section.isForOperators)
  return (
    <nav aria-label="Console">
      {sections.map(({ title, entries }) => (
        <div key={title ?? ''}>
          {title && <p className="nav-title">{title}</p>}
          <ul>
            {entries.map(({ to, name, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/console', includeSearch: false }}
                  {...(onChosen ? { onClick: onChosen } : {})}
                >
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="nav-title">Documents</p>
      <ul>
        {DOCUMENTS.map(({ href, name }) => (
          <li key={href}>
            <a href={href}>
              <Icon name="book" />
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
