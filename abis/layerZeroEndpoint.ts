import { parseAbi } from 'abitype'

/** LayerZero EndpointV2: carries the messages between stations. */
export const layerZeroEndpointAbi = parseAbi([
  'struct MessagingParams { uint32 dstEid; bytes32 receiver; bytes message; bytes options; bool payInLzToken; }',
  'struct MessagingFee { uint256 nativeFee; uint256 lzTokenFee; }',
  'struct Origin { uint32 srcEid; bytes32 sender; uint64 nonce; }',
  'function eid() view returns (uint32)',
  'function quote(MessagingParams _params, address _sender) view returns (MessagingFee)',
  'function inboundPayloadHash(address receiver, uint32 srcEid, bytes32 sender, uint64 inboundNonce) view returns (bytes32 payloadHash)',
  'function outboundNonce(address sender, uint32 dstEid, bytes32 receiver) view returns (uint64 nonce)',
  'event PacketSent(bytes encodedPayload, bytes options, address sendLibrary)',
  'event PacketVerified(Origin origin, address receiver, bytes32 payloadHash)',
  'event PacketDelivered(Origin origin, address receiver)',
  'event LzReceiveAlert(address indexed receiver, address indexed executor, Origin origin, bytes32 guid, uint256 gas, uint256 value, bytes message, bytes extraData, bytes reason)',
  'error LZ_InsufficientFee(uint256 requiredNative, uint256 suppliedNative, uint256 requiredLzToken, uint256 suppliedLzToken)',
])
