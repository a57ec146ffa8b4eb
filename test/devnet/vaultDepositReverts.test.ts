import { parseEther, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { chainTime } from '../../devnet/chainTime.ts'
import { signAttestation } from '../../devnet/signAttestation.ts'
import { type Attestation, NO_ATTESTATION, statementData } from '../../devnet/vaults/depositInto.ts'
import { depositorOperatorAbi, tellerOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { POLICY_ID } from '../../devnet/vaults/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import { type Call, send } from './stationWorld.ts'
import {
  allow,
  asOwner,
  bulkWithdraw,
  type Case,
  deposit,
  describeReverts,
  me,
  other,
  useVaultWorld,
  world,
} from './vaultCases.ts'
import { actors, callOf, owner, prime, tokens } from './vaultWorld.ts'

const { teller, depositor } = prime.current
const { USDC, USDG } = tokens
const PERMIT = [0n, 27, `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`] as const

useVaultWorld()

const deposits: Case[] = [
  {
    name: 'an allowance that is too low',
    call: () => deposit({}, other),
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'one share more than the rate gives',
    call: () => deposit({ amount: 1_000_000n, minimumMint: parseEther('1') + 1n }),
    reverts: ['TellerWithMultiAssetSupport__MinimumMintNotMet'],
  },
  {
    name: 'a cap of nothing',
    prepare: () => asOwner(depositor, depositorOperatorAbi, 'setSupplyCapInBase', [0n]),
    call: () => deposit({ amount: 1_000_000n }),
    reverts: ['SupplyCapInBaseError', parseEther('1001'), 0n],
  },
  {
    name: 'a fee for nobody',
    call: () => callOf(owner, depositor, depositorOperatorAbi, 'setFeeRecipient', [zeroAddress]),
    reverts: ['ZeroAddress'],
  },
  {
    name: 'the teller without the depositor',
    call: () => callOf(me, teller, tellerOperatorAbi, 'deposit', [USDG, 1n, 0n]),
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'nothing, by the teller alone',
    call: () => callOf(owner, teller, tellerOperatorAbi, 'deposit', [USDG, 0n, 0n]),
    reverts: ['TellerWithMultiAssetSupport__ZeroAssets'],
  },
]

const attested: Case[] = [
  {
    name: 'none',
    call: () => deposit({ asset: USDC, attestation: NO_ATTESTATION }),
    reverts: ['Error', 'Predicate.validateAttestation: attestation expired'],
  },
  {
    name: 'one that was used',
    prepare: async () => {
      used = await attestation()
      await send(world, 1, deposit({ asset: USDC, attestation: used }))
    },
    call: () => deposit({ asset: USDC, attestation: used }),
    reverts: ['Error', 'Predicate.validateAttestation: statement UUID already used'],
  },
  {
    name: 'one of another amount',
    call: async () =>
      deposit({ asset: USDC, amount: 6_000_000n, attestation: await attestation() }),
    reverts: ['Error', 'Predicate.validateAttestation: Invalid signature'],
  },
  {
    name: 'one of another sender',
    prepare: () => allow(other, USDC, depositor),
    call: async () => deposit({ asset: USDC, attestation: await attestation() }, other),
    reverts: ['Error', 'Predicate.validateAttestation: Invalid signature'],
  },
  {
    name: 'one of an attester that is not registered',
    call: async () => deposit({ asset: USDC, attestation: await ownAttestation() }),
    reverts: ['Error', 'Predicate.validateAttestation: Attester is not a registered attester'],
  },
]
let used: Attestation = NO_ATTESTATION

describeReverts('a deposit', deposits)
describeReverts('an attestation', attested)

describe('what passes', () => {
  test('behavior: a permit that fails where the allowance suffices', async () => {
    const { status } = await send(world, 1, depositWithPermit(me))
    expect(status).toBe('success')
  })

  test('behavior: the exact minimum of a deposit and of a withdrawal at once', async () => {
    const exact = deposit({ amount: 1_000_000n, minimumMint: parseEther('1') })
    expect((await send(world, 1, exact)).status).toBe('success')
    const out = bulkWithdraw({ shares: parseEther('1'), minimum: 1_000_000n })
    expect((await send(world, 1, out)).status).toBe('success')
  })
})

function depositWithPermit(account: typeof me): Call {
  const args = [USDG, 5_000_000n, 0n, account.address, '0x', NO_ATTESTATION, ...PERMIT]
  return callOf(account, depositor, depositorAbi, 'depositWithPermit', args)
}

/** The attestation of a deposit of 5 USDC by the first user. */
async function statement() {
  const request = { user: me, deployment: prime, asset: USDC, amount: 5_000_000n }
  return {
    expiration: Number(await chainTime(worldClient(world, 1))) + 600,
    call: {
      chainId: 1,
      value: 0n,
      policy: POLICY_ID,
      from: me.address,
      to: depositor,
      data: statementData(request),
    },
  }
}

async function attestation(): Promise<Attestation> {
  const { call, expiration } = await statement()
  const signed = await signAttestation(call, expiration)
  return { ...signed, expiration: BigInt(expiration) }
}

/** A valid signature by an attester that no registry knows. */
async function ownAttestation(): Promise<Attestation> {
  const { call, expiration } = await statement()
  const signed = await signAttestation(call, expiration, actors.holder)
  return { ...signed, expiration: BigInt(expiration) }
}
