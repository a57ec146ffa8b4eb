// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The functions of Multicall3 that viem calls, at its usual address.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }
    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            (bool isOk, bytes memory data) = calls[i].target.call(calls[i].callData);
            require(isOk || calls[i].allowFailure, "Multicall3: call failed");
            results[i] = Result(isOk, data);
        }
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    function getChainId() external view returns (uint256) {
        return block.chainid;
    }
}
