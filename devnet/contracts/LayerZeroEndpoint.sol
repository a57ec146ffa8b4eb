// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

struct MessagingParams {
    uint32 dstEid;
    bytes32 receiver;
    bytes message;
    bytes options;
    bool payInLzToken;
}

struct MessagingFee {
    uint256 nativeFee;
    uint256 lzTokenFee;
}

struct MessagingReceipt {
    bytes32 guid;
    uint64 nonce;
    MessagingFee fee;
}

struct Origin {
    uint32 srcEid;
    bytes32 sender;
    uint64 nonce;
}

interface ILayerZeroReceiver {
    function lzReceive(
        Origin calldata origin,
        bytes32 guid,
        bytes calldata message,
        address executor,
        bytes calldata extraData
    ) external payable;
}

/// LayerZero's EndpointV2 as far as stations use it. One relayer stands for all verifiers.
contract LayerZeroEndpoint {
    event PacketSent(bytes encodedPayload, bytes options, address sendLibrary);
    event PacketVerified(Origin origin, address receiver, bytes32 payloadHash);
    event PacketDelivered(Origin origin, address receiver);
    event LzReceiveAlert(
        address indexed receiver,
        address indexed executor,
        Origin origin,
        bytes32 guid,
        uint256 gas,
        uint256 value,
        bytes message,
        bytes extraData,
        bytes reason
    );

    error LZ_InsufficientFee(
        uint256 requiredNative,
        uint256 suppliedNative,
        uint256 requiredLzToken,
        uint256 suppliedLzToken
    );
    error LZ_PayloadHashNotFound(bytes32 expected, bytes32 actual);
    error LZ_OnlyRelayer();

    uint8 private constant PACKET_VERSION = 1;
    uint256 private constant BASE_FEE = 0.0002 ether;
    uint256 private constant FEE_PER_BYTE = 100 gwei;
    uint256 private constant FEE_PER_GAS = 1 gwei;

    uint32 public immutable eid;
    address public immutable relayer;
    mapping(address sender => mapping(uint32 dstEid => mapping(bytes32 receiver => uint64)))
        public outboundNonce;
    mapping(address receiver => mapping(uint32 srcEid => mapping(bytes32 sender => mapping(uint64 nonce => bytes32))))
        public inboundPayloadHash;

    constructor(uint32 eid_, address relayer_) {
        eid = eid_;
        relayer = relayer_;
    }

    modifier onlyRelayer() {
        if (msg.sender != relayer) revert LZ_OnlyRelayer();
        _;
    }

    function quote(
        MessagingParams calldata params,
        address
    ) public pure returns (MessagingFee memory) {
        // Type-3 options with one executor lzReceive option: the gas limit is bytes 6 to 22.
        uint256 gasLimit = uint128(bytes16(params.options[6:22]));
        uint256 size = params.message.length;
        return MessagingFee(BASE_FEE + size * FEE_PER_BYTE + gasLimit * FEE_PER_GAS, 0);
    }

    function send(
        MessagingParams calldata params,
        address refundAddress
    ) external payable returns (MessagingReceipt memory receipt) {
        receipt.fee = quote(params, msg.sender);
        if (msg.value < receipt.fee.nativeFee)
            revert LZ_InsufficientFee(receipt.fee.nativeFee, msg.value, 0, 0);
        receipt.nonce = ++outboundNonce[msg.sender][params.dstEid][params.receiver];
        bytes32 sender = bytes32(uint256(uint160(msg.sender)));
        bytes memory header = abi.encodePacked(
            receipt.nonce,
            eid,
            sender,
            params.dstEid,
            params.receiver
        );
        receipt.guid = keccak256(header);
        emit PacketSent(
            abi.encodePacked(PACKET_VERSION, header, receipt.guid, params.message),
            params.options,
            address(this)
        );
        uint256 excess = msg.value - receipt.fee.nativeFee;
        if (excess > 0) {
            (bool isOk, ) = refundAddress.call{value: excess}("");
            require(isOk, "LZ_REFUND_FAILED");
        }
    }

    function verify(Origin calldata origin, address receiver, bytes32 payloadHash) external onlyRelayer {
        inboundPayloadHash[receiver][origin.srcEid][origin.sender][origin.nonce] = payloadHash;
        emit PacketVerified(origin, receiver, payloadHash);
    }

    /// Delivers in any order; a delivery that reverts leaves the packet verified, to be tried again.
    function lzReceive(
        Origin calldata origin,
        address receiver,
        bytes32 guid,
        bytes calldata message,
        bytes calldata extraData
    ) external payable {
        bytes32 expected = inboundPayloadHash[receiver][origin.srcEid][origin.sender][origin.nonce];
        bytes32 actual = keccak256(abi.encodePacked(guid, message));
        if (expected != actual) revert LZ_PayloadHashNotFound(expected, actual);
        delete inboundPayloadHash[receiver][origin.srcEid][origin.sender][origin.nonce];
        ILayerZeroReceiver(receiver).lzReceive{value: msg.value}(
            origin,
            guid,
            message,
            msg.sender,
            extraData
        );
        emit PacketDelivered(origin, receiver);
    }

    function lzReceiveAlert(
        Origin calldata origin,
        address receiver,
        bytes32 guid,
        uint256 gasLimit,
        uint256 value,
        bytes calldata message,
        bytes calldata extraData,
        bytes calldata reason
    ) external {
        emit LzReceiveAlert(
            receiver,
            msg.sender,
            origin,
            guid,
            gasLimit,
            value,
            message,
            extraData,
            reason
        );
    }
}
