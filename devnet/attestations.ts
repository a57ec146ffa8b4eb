import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Address, decodeFunctionData, type Hex, isAddress, isHex, zeroAddress } from 'viem'
import { z } from 'zod'
import { depositorAAbi, depositorAbi } from '../abis/depositor.ts'
import { DEVNET_REFUSED_USER } from './accounts.ts'
import { chainTime } from './chainTime.ts'
import { type AttestedCall, signAttestation, statementHash } from './signAttestation.ts'
import { type World, worldClient } from './world.ts'

export type AttestationServerOptions = {
  world: World
  port: number
  /** The `x-api-key` that callers must send. */
  apiKey: string
}

export type AttestationServer = { url: string; stop(): Promise<void> }

const GOOD_FOR_SECONDS = 600

const address = z.string().refine(isAddress, 'expected an address')
const requestBody = z.object({
  to: address,
  from: address,
  data: z.string().refine((value): value is Hex => isHex(value), 'expected hex'),
  msg_value: z
    .string()
    .regex(/^\d+$/, 'expected wei as a decimal string')
    .transform(BigInt)
    .default(0n),
  chain: z.string().min(1),
})

/**
 * The local world's outside providers. One attests deposits, and speaks Predicate's API v2. The other screens payers. Each
 * refuses the accounts on its list: `PUT` and `DELETE /admin/refusals/<account>` change the list of the first,
 * `/admin/payer-refusals/<account>` that of the second, and `GET` without an account shows it.
 */
export async function startAttestationServer(
  options: AttestationServerOptions,
): Promise<AttestationServer> {
  const { world, port, apiKey } = options
  const refused = new Set<string>([DEVNET_REFUSED_USER.address.toLowerCase()])
  const server = Fastify()

  server.addHook('onRequest', async (request, reply) => {
    if (!isKey(request.headers['x-api-key'], apiKey))
      return reply.code(401).send({ message: 'Unauthorized' })
  })
  server.post('/v2/attestation', (request, reply) => attest(world, refused, request, reply))
  serveList(server, '/admin/refusals', refused)
  servePayers(server)
  const url = await server.listen({ port, host: '127.0.0.1' })
  return { url, stop: () => server.close() }
}

type Account = { Params: { account: string } }

/** A list of accounts that callers change. */
function serveList(server: FastifyInstance, path: string, accounts: Set<string>) {
  server.get(path, () => [...accounts])
  server.put<Account>(`${path}/:account`, async ({ params }, reply) => {
    accounts.add(params.account.toLowerCase())
    return reply.code(204).send()
  })
  server.delete<Account>(`${path}/:account`, async ({ params }, reply) => {
    accounts.delete(params.account.toLowerCase())
    return reply.code(204).send()
  })
}

const paidBody = z.object({ payer: address, transaction_sender: address.nullable() })

/** Screens payers: refuses a payment if its payer, or the sender of its transaction, is on the list. */
function servePayers(server: FastifyInstance) {
  const refused = new Set<string>()
  serveList(server, '/admin/payer-refusals', refused)
  server.post('/v1/payers', async ({ body }, reply) => {
    const asked = paidBody.safeParse(body)
    if (!asked.success) return reply.code(400).send({ message: z.prettifyError(asked.error) })
    const { payer, transaction_sender: sender } = asked.data
    const listed = [payer, sender].find((account) => account && refused.has(account.toLowerCase()))
    return listed
      ? { is_allowed: false, reason: `${listed} is on the local list` }
      : { is_allowed: true }
  })
}

async function attest(
  world: World,
  refused: Set<string>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const body = requestBody.safeParse(request.body)
  if (!body.success) return reply.code(400).send({ message: z.prettifyError(body.error) })
  const { to, from, data, msg_value: value, chain } = body.data
  const chainId = chainIdOf(world, chain)
  const receiver = receiverOf(data)
  if (chainId === null) return reply.code(400).send({ message: `No chain ${chain}` })
  if (receiver === null)
    return reply.code(400).send({ message: 'The data is not that of a five-argument deposit' })
  const policy = await readPolicy(world, chainId, to)
  if (policy === null)
    return reply.code(400).send({ message: `${to} is no client of a policy on chain ${chainId}` })

  const call: AttestedCall = { chainId, from, to, data, value, policy }
  const expiration = Number(await chainTime(worldClient(world, chainId))) + GOOD_FOR_SECONDS
  const isCompliant = [from, receiver].every((account) => !refused.has(account.toLowerCase()))
  return {
    policy_id: policy,
    policy_name: policy,
    verification_hash: `x-${statementHash(call, '', expiration).slice(2, 34)}`,
    is_compliant: isCompliant,
    attestation: isCompliant ? await signAttestation(call, expiration) : NO_ATTESTATION,
  }
}

const NO_ATTESTATION = { uuid: '', expiration: 0, attester: zeroAddress, signature: '0x' }

function isKey(given: string | string[] | undefined, key: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The chain with this decimal id or name; null if the local world has none. */
function chainIdOf({ addressBook }: World, chain: string): number | null {
  const found = addressBook.chains.find(
    ({ id, name }) => String(id) === chain || name.toLowerCase() === chain.toLowerCase(),
  )
  return found?.id ?? null
}

/** The account that gets the shares; null if the calldata is not a deposit. */
function receiverOf(data: Hex): Address | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: depositorAAbi, data })
    return functionName === 'deposit' ? args[3] : null
  } catch {
    return null
  }
}

/** Null if the contract has no policy, or if there is no contract. */
async function readPolicy(world: World, chainId: number, address: Address) {
  return (
    worldClient(world, chainId)
      .readContract({ address, abi: depositorAbi, functionName: 'getPolicyID' })
      // A failure of the local node is refused too: without a policy nothing can be signed.
      .catch(() => null)
  )
}
