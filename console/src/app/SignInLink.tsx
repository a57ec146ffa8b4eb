import { Link, useRouterState } from '@tanstack/react-router'
import { Icon } from '../components/Icon.tsx'

/** Leads to the sign-in, and from there back to this page. */
export function SignInLink() {
  const path = useRouterState({ select: ({ location }) => location.href })
  return (
    <Link to="/console/sign-in" search={{ to: path }} className="button primary">
      <Icon name="person" />
      Sign in
    </Link>
  )
}
