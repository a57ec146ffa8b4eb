import { zeroHash } from 'viem'
import { depositorAbi } from '../../abis/depositor.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { selectorOf, VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import type { World } from '../../devnet/world.ts'
import { deployer, send } from '../devnet/stationWorld.ts'
import { asOwner, callAs, type EarnClient, freeze } from '../support/earn.ts'
import { encodeHandCall, type HandCall } from '../support/handCall.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import { openToAll } from './depositCases.ts'
import { asOwner as asStationOwner, setApproval, setPublic } from './quoteCases.ts'

/** One thing that opens or closes something in the local world. */
export type Move = { name: string; make(): Promise<unknown> }

const EID = 30_416

/** The moves of the station of chain 1. */
export function stationMoves(world: World): Move[] {
  const owner = (name: string, ...call: HandCall) => ({
    name,
    make: () => asStationOwner(world, ...call),
  })
  return [
    owner('the station is paused', 'function pause()'),
    owner('no peer', 'function setPeer(uint32, bytes32)', EID, zeroHash),
    owner('no gas limit', 'function setMessageGasLimit(uint32, uint64)', EID, 0n),
    owner('another signer', 'function setQuoteSigner(address)', DEVNET_ACTORS.deployer.address),
    { name: 'submissions are closed', make: () => setPublic(world, 'submitOrder', false) },
    { name: 'an approval is withdrawn', make: () => setApproval(world, false) },
    { name: 'a price is out of its band', make: () => setRound(world, 90_000_000n, 0) },
    { name: 'a price is stale', make: () => setRound(world, 100_000_000n, 10_000_000) },
  ]
}

/** The moves of a vault, and of what an account may do in it. */
export function vaultMoves(client: EarnClient, random: SeededRandom, user: `0x${string}`): Move[] {
  const { current, authority, hook } = client.deployment
  const listed = client.deployment.plan.assets.map(({ token }) => token)
  const token = random.pick(listed as [TokenSymbol, ...TokenSymbol[]])
  const asset = DEPLOYMENT.tokens[token]
  const move = (
    name: string,
    ...[address, call]: [`0x${string}`, Parameters<typeof asOwner>[2]]
  ) => ({
    name: `${client.deployment.plan.name}: ${name}`,
    make: () => asOwner(client, address, call),
  })
  const closed = (name: string, target: `0x${string}`, selector: `0x${string}`) =>
    move(name, authority, [
      'function setPublicCapability(address, bytes4, bool)',
      target,
      selector,
      false,
    ])
  return [
    move('the teller is paused', current.teller, ['function pause()']),
    move('the accountant is paused', current.accountant, ['function pause()']),
    closed('deposits are closed', current.depositor, selectorOf(depositorAbi, 'deposit')),
    closed('requests are closed', current.queue, selectorOf(withdrawQueueAbi, 'submitOrder')),
    closed('cancelling is closed', current.queue, selectorOf(withdrawQueueAbi, 'cancelOrder')),
    ...(['depositor', 'teller', 'solver'] as const).map((role) =>
      move(`the ${role} has lost its role`, authority, [
        'function setUserRole(address, uint8, bool)',
        current[role === 'solver' ? 'queue' : role],
        VAULT_ROLES[role],
        false,
      ]),
    ),
    // Generation A has one direction, and no cap.
    ...(client.deployment.plan.generation === 'A'
      ? [move(`no ${token}`, current.teller, ['function removeAsset(address)', asset])]
      : [
          ...(['Deposit', 'Withdraw'] as const).map((way) =>
            move(`no ${way} of ${token}`, current.teller, [
              `function remove${way}Asset(address)`,
              asset,
            ]),
          ),
          move('nothing is left of the cap', current.depositor, [
            'function setSupplyCapInBase(uint256)',
            0n,
          ]),
        ]),
    {
      name: `the issuer of USDC blocks the user`,
      make: () =>
        callAs(client, DEVNET_ACTORS.deployer, {
          address: DEPLOYMENT.tokens.USDC,
          call: ['function blacklist(address)', user],
        }),
    },
    ...(hook
      ? [user, current.depositor, current.queue].map((account) => ({
          name: `${account} is frozen`,
          make: () => freeze(client, account),
        }))
      : []),
    ...(client.deployment.plan.name === 'Harbor Prime'
      ? [{ name: 'no attestations of USDC', make: () => openToAll(client, 'USDC') }]
      : []),
  ]
}

/** Sets the dollar feed of chain 1, as of so many seconds ago. */
function setRound(world: World, answer: bigint, age: number) {
  const updatedAt = BigInt(Math.floor(Date.now() / 1_000) - age)
  const data = encodeHandCall(['function setRound(int256, uint256)', answer, updatedAt])
  return send(world, 1, { address: DEPLOYMENT.feeds.dollar, account: deployer, data })
}
