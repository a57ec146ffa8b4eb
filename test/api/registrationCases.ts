import { zeroAddress } from 'viem'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import {
  factory,
  implementation,
  type RegistrationInput,
} from '../support/smartDepositRegistrar.ts'

const { USDC, USDP } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)

type RegistrationCase = [name: string, change: Partial<RegistrationInput>, refusal: unknown[]]

/** Changes of a good registration, with the status, the reason and the fields of the refusal. */
export const REFUSED_REGISTRATIONS: RegistrationCase[] = [
  ['a chain that is not there', { chainId: 7 }, [404, 'CHAIN_NOT_FOUND']],
  ['a chain without vaults', { chainId: 4663 }, [400, 'INVALID_FIELD', 'vaultAddress']],
  ['a chain id that is text', { chainId: '1' }, [400, 'INVALID_FIELD', 'chainId']],
  [
    'the vault of another chain',
    { vaultAddress: vaultDeployment('Harbor Gold', 999).vault },
    [400, 'INVALID_FIELD', 'vaultAddress'],
  ],
  [
    'a vault in deprecation',
    { vaultAddress: sunset.vault, chainId: 11_155_111, inputToken: DEPLOYMENT.tokens.USDG },
    [400, 'VAULT_DEPRECATED', 'vaultAddress'],
  ],
  [
    'a token that the vault does not know',
    { inputToken: USDP },
    [400, 'ASSET_NOT_DEPOSITABLE', 'inputToken'],
  ],
  [
    'the zero address',
    { userDestinationAddress: zeroAddress },
    [400, 'RECEIVER_CANNOT_USE', 'userDestinationAddress'],
  ],
  [
    'the token as user',
    { userDestinationAddress: USDC },
    [400, 'RECEIVER_CANNOT_USE', 'userDestinationAddress'],
  ],
  ...[
    ['the vault as user', dollar.vault],
    ['another vault as user', classic.vault],
    ['a queue as user', dollar.current.queue],
    ['the factory as user', factory ?? ''],
    ['the implementation as user', implementation ?? ''],
    ['a precompiled contract as user', `0x${'1'.padStart(40, '0')}`],
    ['a precompiled contract of a rollup as user', `0x${'100'.padStart(40, '0')}`],
  ].map(
    ([name = '', destination = '']): RegistrationCase => [
      name,
      { userDestinationAddress: destination },
      [400, 'RECEIVER_CANNOT_USE', 'userDestinationAddress'],
    ],
  ),
  [
    'a wrong checksum',
    { userDestinationAddress: `0x${'aB'.repeat(20)}` },
    [400, 'INVALID_FIELD', 'userDestinationAddress'],
  ],
  [
    'everything at once',
    { userDestinationAddress: 'x', vaultAddress: zeroAddress, chainId: -1, customerId: ' ' },
    [400, 'INVALID_FIELD', 'chainId', 'customerId', 'userDestinationAddress', 'vaultAddress'],
  ],
]
