import { type LocalAccount, parseUnits, type TypedDataDefinition } from 'viem'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { vaultDeployment } from '../../../devnet/vaults/deployment.ts'
import type { FlowName } from './flows.ts'

/** Calls a tool; returns its answer, or what it was refused with. */
export type CallTool = (name: string, input: object) => Promise<ToolAnswer>
export type ToolAnswer = {
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each call knows the fields of its answer.
  body: any
}

const { vault } = vaultDeployment('Harbor Dollar', 1)
const { USDC, USDT, USDG, USDP } = DEPLOYMENT.tokens
const place = { chainId: 1, vaultAddress: vault }
const route = { sourceChainId: 1, wantAsset: USDG, destinationChainId: 4663 }
const units = (amount: string, decimals = 6) => String(parseUnits(amount, decimals))

/** The arguments of the tools of a flow, in the words of its user: of the authorization, and of what is prepared. */
type McpFlow = {
  authorize: { name: string; input: object } | null
  prepare: { name: string; input: object }
}
type McpFlowName = Exclude<FlowName, 'register'>
type Given = { userAddress: string; requestId: string; organizationId: string }

function transit(userAddress: string, token: string, amount: string, terms: object): McpFlow {
  const input = { chainId: 1, tokenAddress: token, amount, userAddress }
  const order = { ...route, userAddress, offerAsset: token, ...terms }
  return {
    authorize: { name: 'getAuthorization', input },
    prepare: { name: 'getOrderQuote', input: order },
  }
}

function earn(name: 'deposit' | 'withdraw', input: object, authorization: object): McpFlow {
  const authorize = { ...place, ...authorization }
  return {
    authorize: { name: 'getDepositAuthorization', input: authorize },
    prepare: { name, input: { ...place, ...input } },
  }
}

/** Every flow of the client, through the tools of the MCP server. `minimumAmountOut` of an order is added by its test. */
export const MCP_FLOWS: Record<McpFlowName, (given: Given) => McpFlow> = {
  transit: ({ userAddress }) =>
    transit(userAddress, USDC, units('2500'), { offerAmount: units('2500') }),
  'transit by approval': ({ userAddress }) =>
    transit(userAddress, USDP, units('2500', 18), { offerAmount: units('2500', 18) }),
  'transit by what is wanted': ({ userAddress }) =>
    transit(userAddress, USDC, units('2550'), {
      wantAmount: units('2500'),
      maxOfferAmount: units('2550'),
    }),
  deposit: ({ userAddress }) =>
    earn(
      'deposit',
      { depositAsset: USDC, depositAmount: units('500'), userAddress },
      { tokenAddress: USDC, amount: units('500'), userAddress },
    ),
  'deposit by approval': ({ userAddress }) =>
    earn(
      'deposit',
      { depositAsset: USDT, depositAmount: units('500'), userAddress },
      { tokenAddress: USDT, amount: units('500'), userAddress },
    ),
  withdraw: ({ userAddress }) =>
    earn(
      'withdraw',
      { wantAsset: USDC, shareAmount: units('20'), userAddress },
      { tokenAddress: vault, amount: units('20'), wantAsset: USDC, userAddress },
    ),
  'withdraw at once': ({ userAddress }) => ({
    authorize: null,
    prepare: {
      name: 'withdraw',
      input: { ...place, wantAsset: USDC, shareAmount: units('20'), userAddress },
    },
  }),
  cancel: ({ requestId }) => ({
    authorize: null,
    prepare: { name: 'cancelWithdrawal', input: { ...place, requestId } },
  }),
  'deposit from': ({ userAddress, organizationId }) => {
    const source = { sourceChainId: 4663, sourceAsset: USDG, userAddress }
    const deposit = { depositAsset: USDC, depositAmount: units('300'), ...source }
    const limits = { minimumAmountOut: units('290'), customerId: 'hostile_test', organizationId }
    const allowance = { tokenAddress: USDC, amount: units('300'), ...source }
    return earn('deposit', { ...deposit, ...limits }, allowance)
  },
  'deposit from for shares': ({ userAddress }) => {
    const source = { sourceChainId: 4663, sourceAsset: USDG, userAddress }
    const deposit = { depositAsset: USDC, wantShares: units('100'), ...source }
    const limits = { maxDepositAmount: units('120'), minimumAmountOut: units('99') }
    return { ...earn('deposit', { ...deposit, ...limits }, {}), authorize: null }
  },
}

/** Runs a flow as a careful model does: agrees to an indicative quote, signs the permit, prepares. Ends at a refusal. */
export async function runMcpFlow(
  call: CallTool,
  { authorize, prepare }: McpFlow,
  user: Pick<LocalAccount, 'signTypedData'>,
): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = []
  const permit: Record<string, unknown> = {}
  if (authorize) {
    const answer = await call(authorize.name, authorize.input)
    answers.push(answer)
    if (answer.isError) return answers
    Object.assign(permit, await signed(answer, user))
  }
  answers.push(await call(prepare.name, { ...(await agreed(call, prepare)), ...permit }))
  return answers
}

/** The arguments with the least that the user takes. */
async function agreed(call: CallTool, { name, input }: McpFlow['prepare']): Promise<object> {
  if (name !== 'getOrderQuote') return input
  const { body } = await call(name, { ...input, indicative: 'true' })
  return { ...input, minimumAmountOut: String((BigInt(body.amountOut) * 999n) / 1_000n) }
}

async function signed({ body }: ToolAnswer, user: Pick<LocalAccount, 'signTypedData'>) {
  const methods: { permitData?: object }[] = body.methods ?? [body]
  const permit = methods.find(({ permitData }) => permitData)?.permitData
  if (!permit) return {}
  const { value: message, ...data } = permit as Record<string, unknown> & { deadline: string }
  const typedData = { ...data, primaryType: 'Permit', message } as unknown as TypedDataDefinition // An attack may have made it anything.
  return {
    permitSignature: await user.signTypedData(typedData),
    permitDeadline: Number(data.deadline),
  }
}
