import { Link } from '@tanstack/react-router'
import { Icon, type IconName } from '../components/Icon.tsx'

type Entry = {
  to: '/console' | '/console/transit' | '/console/routes' | '/console/earn'
  name: string
  icon: IconName
}

const ENTRIES: readonly Entry[] = [
  { to: '/console', name: 'Overview', icon: 'overview' },
  { to: '/console/transit', name: 'Orders', icon: 'transit' },
  { to: '/console/routes', name: 'Routes', icon: 'routes' },
  { to: '/console/earn', name: 'Earn', icon: 'earn' },
]

const DOCUMENTS = [
  { href: '/docs', name: 'API reference' },
  { href: '/docs/quickstart', name: 'Guides' },
  { href: '/graphiql', name: 'GraphiQL' },
] as const

/** The pages of the console, and the documents beside it. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  return (
    <nav aria-label="Console">
      <ul>
        {ENTRIES.map(({ to, name, icon }) => (
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
