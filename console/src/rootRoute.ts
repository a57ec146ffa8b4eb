import { createRootRoute } from '@tanstack/react-router'
import { NotFound } from './app/Fallbacks.tsx'
import { Shell } from './app/Shell.tsx'

/** The parent of all pages. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
