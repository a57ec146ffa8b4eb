import type { Address, Hex } from 'viem'
import { OnChain } from '../chains/OnChain.tsx'
import { Amount } from '../components/Amount.tsx'
import { Time } from '../components/Time.tsx'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { formatAmount } from '../format/formatNumber.ts'
import type { Words } from './guideWallet.ts'
import { Shown } from './Shown.tsx'
import type { SignatureWish } from './step.ts'

type Subject = {
  chainId: number
  token: OfferedAsset
  /** Base units of the token. */
  amount: bigint
  /** The contract that takes the token, such as `the transit station`. */
  taker: string
  /** The words for the transaction at the end. */
  last: Pick<SignatureWish, 'title' | 'about' | 'facts'>
}

/** The words for the permit or the approval of a token, and for the transaction that needs it. */
export function words({ chainId, token, amount, taker, last }: Subject): Words {
  const shown = <Shown amount={amount} asset={token} />
  const contract = (hex: Address) => <OnChain chainId={chainId} hex={hex} kind="address" />
  return {
    permit: ({ message }) => ({
      title: 'Sign the permit',
      about: `It lets ${taker} take the token once. It is a signature alone: it costs no gas, and nothing is sent.`,
      facts: [
        ['Amount', shown],
        ['Spender', contract(String(message.spender) as Address)], // A permit's spender is one.
        ['Valid until', <Time key="until" time={new Date(Number(message.deadline) * 1_000)} />],
      ],
    }),
    call: ({ to, value, data }) => {
      const isApproval = to.toLowerCase() === token.address.toLowerCase() && isApprove(data)
      if (isApproval)
        return {
          title: 'Sign the approval',
          about: `It lets ${taker} take the token. It is a transaction, which costs gas.`,
          facts: [
            ['Amount', shown],
            ['Token', contract(to)],
          ],
        }
      return {
        ...last,
        facts: [
          ...last.facts,
          ['Contract', contract(to)],
          ...(value > 0n
            ? ([
                ['Native coin sent along', <Amount key="v" value={formatAmount(value, 18)} />],
              ] as const)
            : []),
        ],
      }
    },
  }
}

/** The selector of `approve(address,uint256)`. */
function isApprove(data: Hex): boolean {
  return data.startsWith('0x095ea7b3')
}
