import { acceptedPayments } from '../../domain/addressBook/acceptedPayments.ts'
import {
  type Acceptance,
  type AcceptanceWay,
  acceptancesOf,
} from '../../domain/capability/acceptances.ts'
import { receiverViolations } from '../../domain/receiver/refuseReceivers.ts'
import {
  listSmartDepositAddresses,
  type RegisteredSmartDepositAddress,
  type SmartDepositAddressPage,
  smartDepositAddressQuery,
} from '../../domain/smartDeposit/listSmartDepositAddresses.ts'
import {
  type Registered,
  registerSmartDepositAddress,
} from '../../domain/smartDeposit/registerSmartDepositAddress.ts'
import {
  customerIdParam,
  type SmartDepositAddressParams,
  smartDepositAddressViolations,
  smartDepositReceivers,
} from '../../domain/smartDeposit/smartDepositParams.ts'
import { amountOf } from '../amountOf.ts'
import { checkedBy } from '../argumentChecks.ts'
import { optional, required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { ClosedReasonRef } from '../capability/capabilities.ts'
import { mutationField } from '../declareRootField.ts'
import { enumType } from '../enumType.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { withoutNulls } from '../withoutNulls.ts'

const AcceptanceWayRef = enumType<AcceptanceWay>('SmartDepositAcceptanceWay', {
  description: 'How a payment gets into the vault of its smart deposit address.',
  values: {
    DIRECT: 'It is deposited as it is.',
    TRANSIT:
      'The keeper sends it on to the same address by a Transit order, in `inputToken` on the chain of the vault. The user pays the fee of the order.',
  },
})

const AcceptanceRef = builder.objectRef<Acceptance>('SmartDepositAcceptance').implement({
  description: 'A token on a chain that can be paid to a smart deposit address.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain of the payment.'),
    asset: nonNull.address('The token to pay.'),
    minimum: nonNull.amount(
      'The least payment that is deposited alone, in base units of `asset`. Of TRANSIT it follows the cost of an execution.',
      { extensions: amountOf('asset') },
    ),
    via: nonNull.of(AcceptanceWayRef, 'How it gets into the vault.'),
    isOpen: nonNull.boolean(
      'Whether such a payment would be deposited now. What is paid meanwhile waits at the address.',
    ),
    reason: nullable.of(
      ClosedReasonRef,
      'Why not, as the capabilities say it. Null while it is open.',
    ),
  })),
})

const ACCEPTS =
  'The payments that it accepts: first `inputToken` on the chain of the vault. Anything else that is sent there is not deposited.'

const RegisteredRef = builder.objectRef<Registered>('SmartDepositRegistration').implement({
  description: 'A registered smart deposit address.',
  fields: fieldsOf(() => ({
    smartDepositAddress: nonNull.address(
      'The smart deposit address: tokens that arrive here are deposited for the user.',
    ),
    accepts: nonNull
      .of([AcceptanceRef], ACCEPTS, { complexity: listCost(4) })
      .by((address, context) => acceptancesOf(context, address)),
  })),
})

const SmartDepositAddressRef = builder
  .objectRef<RegisteredSmartDepositAddress>('SmartDepositAddress')
  .implement({
    description:
      'A smart deposit address of your organization, with all values from which it is computed.',
    fields: fieldsOf(() => ({
      smartDepositAddress: nonNull.address(
        'The smart deposit address: tokens that arrive here are deposited for the user.',
      ),
      chainId: nonNull.int(
        'The chain of its vault. `accepts` has the chains on which it can be paid.',
      ),
      factoryAddress: nonNull.address(
        'The factory contract that the address belongs to. It does not change.',
      ),
      userDestinationAddress: nonNull.address('The account that receives the shares.'),
      vaultAddress: nonNull.address('The address of the vault.'),
      inputToken: nonNull.address(
        'The token that the vault takes. `accepts` has all tokens that can be paid.',
      ),
      customerId: nullable.string('Your own id of the customer. Null without one.'),
      organizationId: nullable.string(
        'The organization that is part of the address, beside `customerId`. Null without a customer.',
      ),
      createdAt: nonNull.dateTime(
        'The time at which your organization first registered the address.',
      ),
      accepts: nonNull
        .of([AcceptanceRef], ACCEPTS, { complexity: listCost(4) })
        .by((address, context) => acceptancesOf(context, address)),
    })),
  })

const SmartDepositAddressPageRef = pageRef<SmartDepositAddressPage>('SmartDepositAddressPage', {
  description: 'A page of smart deposit addresses, the newest first.',
  fields: { smartDepositAddresses: nonNull.of([SmartDepositAddressRef], 'The addresses.') },
  tokens: {
    of: ({ smartDepositAddresses }, { addressBook }) =>
      smartDepositAddresses.flatMap((one) =>
        acceptedPayments(addressBook, one).map(({ chainId, asset: address }) => ({
          chainId,
          address,
        })),
      ),
  },
})

listField('smartDepositAddresses', {
  type: SmartDepositAddressPageRef,
  reads: 'index',
  description: 'The smart deposit addresses of your organization, the newest first.',
  query: smartDepositAddressQuery,
  list: listSmartDepositAddresses,
})

mutationField('registerSmartDepositAddress', {
  type: RegisteredRef,
  complexity: readCost('chains'),
  description:
    'Registers the smart deposit address for a user, vault, token, chain and customer of your organization. The same values always have the same address. No transaction is sent.',
  args: {
    userDestinationAddress: required.payableAddress('The account that receives the shares.'),
    vaultAddress: required.payableAddress('The address of the vault.'),
    inputToken: required.payableAddress('The token that will be sent to the address.'),
    chainId: required.chainId('The chain of the vault.'),
    customerId: optional.string(
      'Your own id of the customer: 1 to 256 letters, digits, hyphens or underscores. Each customer of your organization has an address of its own. Without it the address is the same for all organizations, and the one that registers it first sets the distributor code of its deposits.',
      { extensions: { value: customerIdParam } },
    ),
  },
  extensions: checkedBy<SmartDepositAddressParams>((args, { context }) => [
    ...smartDepositAddressViolations(args),
    ...receiverViolations(context.addressBook, smartDepositReceivers(args)),
  ]),
  resolve: (_, args, context) => registerSmartDepositAddress(context, withoutNulls(args)),
})
