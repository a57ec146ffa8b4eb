import { parseAbi } from 'viem'

/** What the service reads of the authority that says who may call what. */
export const rolesAuthorityAbi = parseAbi([
  'function canCall(address user, address target, bytes4 functionSig) view returns (bool)',
  'function isCapabilityPublic(address target, bytes4 functionSig) view returns (bool)',
  'event UserRoleUpdated(address indexed user, uint8 indexed role, bool enabled)',
])
