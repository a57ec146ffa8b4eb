import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react'

const ProofDialog = lazy(async () => {
  const { ProofDialog: component } = await import('../signIn/ProofDialog.tsx')
  return { default: component }
})

/** Asks the person to prove again who they are; false if they do not want to. */
type Prove = () => Promise<boolean>

const ProofContext = createContext<Prove | null>(null)

/** Gives every change a way to ask for the password or a code. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<{ end: (isProved: boolean) => void } | null>(null)
  const prove = () =>
    new Promise<boolean>((resolve) => {
      setWaiting({
        end(isProved) {
          setWaiting(null)
          resolve(isProved)
        },
      })
    })
  return (
    <ProofContext value={prove}>
      {children}
      {waiting && (
        <Suspense>
          <ProofDialog onEnd={waiting.end} />
        </Suspense>
      )}
    </ProofContext>
  )
}

export function useProof(): Prove {
  const prove = useContext(ProofContext)
  if (!prove) throw new Error('Invariant(console): no ProofProvider')
  return prove
}
