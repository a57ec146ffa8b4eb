import { erc20Abi } from 'viem'
import type { AddressBookToken } from '../addressBook/addressBook.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { compare, type Finding, noCode, note } from './finding.ts'
import { ask, hasCode, type VerificationContext } from './verificationContext.ts'

const FIELDS = ['name', 'symbol', 'decimals'] as const

/** Checks that every token exists and has the name, symbol and decimals of the book. */
export async function verifyTokens(context: VerificationContext): Promise<Finding[]> {
  const found = await Promise.all(
    context.book.tokens.map((token, index) => {
      const place = `tokens.${index}`
      const run = () => verifyToken(context, token, place)
      return ask(context, { chainId: token.chainId, place, run })
    }),
  )
  return [...found.flat(), ...ambiguousTokens(context.book.tokens)]
}

function verifyToken(
  { chains }: VerificationContext,
  token: AddressBookToken,
  place: string,
): Promise<Finding[]> {
  const { chainId, address } = token
  return chains.read(chainId, async (client) => {
    const answered = await Promise.all(
      FIELDS.map((functionName) => tryRead(client, { address, abi: erc20Abi, functionName })),
    )
    if (answered.every((answer) => answer === null) && !(await hasCode(client, address)))
      return [noCode(`${place}.address`, address, chainId)]
    return FIELDS.flatMap((field, index) =>
      compare({
        place: `${place}.${field}`,
        asked: `${field}() of ${address} on chain ${chainId}`,
        expected: token[field],
        answered: answered[index] ?? null,
      }),
    )
  })
}

/** Tokens that share an address but not their decimals: metadata then has no entry by the address alone. */
function ambiguousTokens(tokens: AddressBookToken[]): Finding[] {
  return tokens.flatMap((token, index) => {
    const other = tokens
      .slice(0, index)
      .find(({ address, decimals }) => address === token.address && decimals !== token.decimals)
    if (!other) return []
    const message =
      `${token.decimals} decimals on chain ${token.chainId}, ${other.decimals} at the same address on ` +
      `chain ${other.chainId}: token metadata is not keyed by the address alone`
    return [note(`tokens.${index}.decimals`, message)]
  })
}
