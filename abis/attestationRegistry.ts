import { parseAbi } from 'abitype'

/** Predicate's registry: verifies that an attester it trusts has signed a statement. */
export const attestationRegistryAbi = parseAbi([
  'struct Attestation { string uuid; uint256 expiration; address attester; bytes signature; }',
  'struct Statement { string uuid; address msgSender; address target; uint256 msgValue; bytes encodedSigAndArgs; string policy; uint256 expiration; }',
  'function validateAttestation(Statement _statement, Attestation _attestation) returns (bool isVerified)',
  'function isAttesterRegistered(address) view returns (bool)',
  'event StatementValidated(address indexed msgSender, address indexed target, address indexed attester, uint256 msgValue, string policy, string uuid, uint256 expiration)',
  'event AttesterRegistered(address indexed attester)',
  'event AttesterDeregistered(address indexed attester)',
  'event PolicySet(address indexed client, string policy)',
])
