import { symbolOf, type TokenMap } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'

type Props = { tokens: TokenMap; chainId: number; token: string }

/** One end of a route: a token on a chain. */
export function RouteEnd({ tokens, chainId, token }: Props) {
  return (
    <>
      <strong>{symbolOf(tokens, chainId, token)}</strong>{' '}
      <span className="muted">
        on <ChainName chainId={chainId} />
      </span>
    </>
  )
}
