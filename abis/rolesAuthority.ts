import { parseAbi } from 'abitype'

/** The functions of a roles authority, which decides who may call a function, and of the contracts that use it. */
export const rolesAuthorityAbi = parseAbi([
  'function authority() view returns (address)',
  'function owner() view returns (address)',
  'function canCall(address user, address target, bytes4 functionSig) view returns (bool)',
  'function isCapabilityPublic(address target, bytes4 functionSig) view returns (bool)',
  'event UserRoleUpdated(address indexed user, uint8 indexed role, bool enabled)',
])
