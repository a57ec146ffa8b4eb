import { parseAbi } from 'viem'
import { layerZeroEndpointAbi } from '../../abis/layerZeroEndpoint.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'

/** The ABIs that the service reads, and functions that only the operators of the contracts call. */
export const stationAbi = [
  ...transitStationAbi,
  ...parseAbi([
    'function setPeer(uint32 eid, bytes32 peer)',
    'function setMessageGasLimit(uint32 eid, uint64 gasLimit)',
    'function setQuoteSigner(address signer)',
    'function setProtocolFeeRecipient(address recipient)',
    'function setOfferReceiver(address receiver)',
    'function setWantAssetSource(address source)',
    'function pause()',
    'function unpause()',
  ]),
] as const

export const endpointAbi = [
  ...layerZeroEndpointAbi,
  ...parseAbi([
    'struct Origin { uint32 srcEid; bytes32 sender; uint64 nonce; }',
    'function verify(Origin origin, address receiver, bytes32 payloadHash)',
    'function lzReceive(Origin origin, address receiver, bytes32 guid, bytes message, bytes extraData) payable',
  ]),
] as const

export const vaultAbi = parseAbi([
  'function manage(address[] targets, bytes[] data, uint256[] values) returns (bytes[])',
])

export const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function blacklist(address account)',
])

export const authorityAbi = parseAbi([
  'function setPublicCapability(address target, bytes4 functionSig, bool enabled)',
])
