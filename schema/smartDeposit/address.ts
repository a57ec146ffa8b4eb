import { chainIdParam } from '../../domain/chain/chainId.ts'
import {
  listSmartDepositAddresses,
  type RegisteredSmartDepositAddress,
  SMART_DEPOSIT_ADDRESS_FILTER_KEYS,
  type SmartDepositAddressPage,
  smartDepositAddressQuery,
} from '../../domain/smartDeposit/listSmartDepositAddresses.ts'
import { registerSmartDepositAddress } from '../../domain/smartDeposit/registerSmartDepositAddress.ts'
import {
  customerIdParam,
  type SmartDepositAddressParams,
  smartDepositAddressViolations,
} from '../../domain/smartDeposit/smartDepositParams.ts'
import { checkedBy, checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { pageCost, readCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'

const RegisteredRef = builder
  .objectRef<Pick<RegisteredSmartDepositAddress, 'smartDepositAddress'>>('SmartDepositRegistration')
  .implement({
    description: 'The answer to who asks for an address.',
    fields: (t) => ({
      smartDepositAddress: t.expose('smartDepositAddress', {
        type: 'Address',
        description: 'What is sent there is deposited for the user.',
      }),
    }),
  })

const SmartDepositAddressRef = builder
  .objectRef<RegisteredSmartDepositAddress>('SmartDepositAddress')
  .implement({
    description: 'An address that your organization asked for, with all that it was made of.',
    fields: (t) => ({
      smartDepositAddress: t.expose('smartDepositAddress', {
        type: 'Address',
        description: 'What is sent there is deposited for the user.',
      }),
      chainId: t.exposeInt('chainId', { description: 'The only chain to send to it on.' }),
      factoryAddress: t.expose('factoryAddress', {
        type: 'Address',
        description: 'The factory whose address it is, for good.',
      }),
      userDestinationAddress: t.expose('userDestinationAddress', {
        type: 'Address',
        description: 'Who gets the shares.',
      }),
      vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
      inputToken: t.expose('inputToken', {
        type: 'Address',
        description: 'The token that is deposited.',
      }),
      customerId: t.exposeString('customerId', {
        nullable: true,
        description: 'Your id of the customer; null where none was given.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'When your organization first asked for it.',
      }),
    }),
  })

const SmartDepositAddressPageRef = builder
  .objectRef<SmartDepositAddressPage>('SmartDepositAddressPage')
  .implement({
    description: 'A page of smart deposit addresses, the newest first.',
    fields: (t) => ({
      smartDepositAddresses: t.expose('smartDepositAddresses', {
        type: [SmartDepositAddressRef],
        description: 'The addresses.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('smartDepositAddresses', (t) =>
  t.field({
    type: SmartDepositAddressPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'The smart deposit addresses that your organization asked for, the newest first.',
    args: listArguments(SMART_DEPOSIT_ADDRESS_FILTER_KEYS),
    extensions: checkedByQuery(smartDepositAddressQuery),
    resolve: (_, list, context) => listSmartDepositAddresses(context, listParams(list)),
  }),
)

builder.mutationField('registerSmartDepositAddress', (t) =>
  t.field({
    type: RegisteredRef,
    nullable: true,
    complexity: readCost('chains'),
    description:
      'The address for a user, vault, token, chain and customer: the same for the same, always. No transaction is sent.',
    args: {
      userDestinationAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'Who gets the shares.',
      }),
      vaultAddress: t.arg({ type: 'PayableAddress', required: true, description: 'The vault.' }),
      inputToken: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The token that will be sent to it.',
      }),
      chainId: t.arg.int({
        required: true,
        description: 'The chain of the vault.',
        extensions: { value: chainIdParam },
      }),
      customerId: t.arg.string({
        description:
          'Your own id of the customer: 1 to 256 letters, digits, hyphens or underscores. Each customer has an address of its own.',
        extensions: { value: customerIdParam },
      }),
    },
    extensions: checkedBy<SmartDepositAddressParams>(smartDepositAddressViolations),
    resolve: (_, { customerId, ...params }, context) =>
      registerSmartDepositAddress(context, { ...params, customerId: customerId ?? undefined }),
  }),
)
