import { useAccess } from '../api/connectionContext.tsx'
import { useSession } from './SessionProvider.tsx'

/**
 * Why the person cannot change what needs this permission; null if they can. The API decides: it also knows the
 * permissions of a typed key.
 */
export function useObstacle(permission: string): string | null {
  const { organization } = useSession()
  const { apiKey } = useAccess()
  if (!organization && !apiKey) return 'Sign in first.'
  if (!organization || organization.changes.includes(permission)) return null
  return `Your role in ${organization.name}, ${organization.role}, may look at this but not change it.`
}
