import { parseAbi } from 'viem'

/** What the service reads of the authority that says who may call what, and of the contracts that ask it. */
export const rolesAuthorityAbi = parseAbi([
  'function authority() view returns (address)',
  'function owner() view returns (address)',
  'function canCall(address user, address target, bytes4 functionSig) view returns (bool)',
  'function isCapabilityPublic(address target, bytes4 functionSig) view returns (bool)',
  'event UserRoleUpdated(address indexed user, uint8 indexed role, bool enabled)',
])
