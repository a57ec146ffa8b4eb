import '@fontsource-variable/inter/wght.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/components.css'
import './styles/table.css'
import './styles/facts.css'
import './styles/pages.css'
import './styles/forms.css'
import './styles/journeys.css'
import './styles/attempts.css'
import { RouterProvider } from '@tanstack/react-router'
import { Tooltip } from 'radix-ui'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AccessProvider } from './api/connectionContext.tsx'
import { followTheme } from './app/theme.ts'
import { router } from './router.tsx'
import { ProofProvider } from './session/ProofProvider.tsx'
import { SessionProvider } from './session/SessionProvider.tsx'

followTheme()
const root = document.getElementById('root')
if (!root) throw new Error('Invariant(console): no root element')
createRoot(root).render(
  <StrictMode>
    <SessionProvider>
      <AccessProvider>
        <ProofProvider>
          <Tooltip.Provider delayDuration={200}>
            <RouterProvider router={router} />
          </Tooltip.Provider>
        </ProofProvider>
      </AccessProvider>
    </SessionProvider>
  </StrictMode>,
)
