// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Emits any logs on request. Its code is placed at the addresses of the contracts that it stands for.
contract LogEmitter {
    struct RawLog {
        address emitter;
        bytes32[] topics;
        bytes data;
    }

    /// Makes each contract emit its log, in order, in one transaction.
    function emitLogs(RawLog[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i)
            LogEmitter(logs[i].emitter).emitLog(logs[i].topics, logs[i].data);
    }

    function emitLog(bytes32[] calldata topics, bytes calldata data) external {
        bytes memory copy = data;
        bytes32 a = topics[0];
        bytes32 b = topics.length > 1 ? topics[1] : bytes32(0);
        bytes32 c = topics.length > 2 ? topics[2] : bytes32(0);
        bytes32 d = topics.length > 3 ? topics[3] : bytes32(0);
        uint256 count = topics.length;
        assembly ("memory-safe") {
            let start := add(copy, 32)
            let size := mload(copy)
            switch count
            case 1 { log1(start, size, a) }
            case 2 { log2(start, size, a, b) }
            case 3 { log3(start, size, a, b, c) }
            default { log4(start, size, a, b, c, d) }
        }
    }
}
