// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Executes calls as a Safe does, with the events of its versions 1.4 and 1.3.
contract SafeStandIn {
    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment);
    event ExecutionFailure(bytes32 indexed txHash, uint256 payment);

    bytes32 private constant SUCCESS = keccak256("ExecutionSuccess(bytes32,uint256)");
    bytes32 private constant FAILURE = keccak256("ExecutionFailure(bytes32,uint256)");

    function execute(bytes32 txHash, address to, uint256 value, bytes calldata data) external {
        (bool success,) = to.call{value: value}(data);
        if (success) emit ExecutionSuccess(txHash, 0);
        else emit ExecutionFailure(txHash, 0);
    }

    function executeAsBefore(bytes32 txHash, address to, uint256 value, bytes calldata data) external {
        (bool success,) = to.call{value: value}(data);
        bytes32 topic = success ? SUCCESS : FAILURE;
        bytes memory logged = abi.encode(txHash, 0);
        assembly {
            log1(add(logged, 32), mload(logged), topic)
        }
    }

    /// Like another kind of account, without an event.
    function executeSilently(bytes32, address to, uint256 value, bytes calldata data) external {
        (bool success,) = to.call{value: value}(data);
        require(success);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    receive() external payable {}
}
