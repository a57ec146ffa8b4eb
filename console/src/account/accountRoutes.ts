import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../rootRoute.ts'

type SignInSearch = {
  /** The path that needed the sign-in. */
  to?: string
  /** Set by the provider's sign-in where it failed. */
  error?: string
  /** Set by the provider's sign-in where the account's code is still needed. */
  needsCode?: boolean
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/console/sign-in',
  validateSearch: ({ to, error, needsCode }: Record<string, unknown>): SignInSearch => ({
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...(needsCode === true ? { needsCode } : {}),
  }),
  component: lazyRouteComponent(() => import('../signIn/SignInPage.tsx'), 'SignInPage'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/console/invitation',
  component: lazyRouteComponent(() => import('../signIn/InvitationPage.tsx'), 'InvitationPage'),
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/console/account',
  component: lazyRouteComponent(() => import('./AccountPage.tsx'), 'AccountPage'),
})

/** The pages of sign-in, and of the person who is signed in. */
export const accountRoutes = [signIn, invitation, account] as const
