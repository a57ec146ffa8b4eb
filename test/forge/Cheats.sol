// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The cheat codes of forge that these tests use.
interface Vm {
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function expectRevert() external;
    function expectRevert(bytes calldata data) external;
    function expectPartialRevert(bytes4 selector) external;
    function prank(address sender) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function addr(uint256 key) external pure returns (address);
    function warp(uint256 timestamp) external;
    function startSnapshotGas(string calldata group, string calldata name) external;
    function stopSnapshotGas() external returns (uint256 gas);
    function cool(address target) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }
}

/// Checks whose failure shows both values.
abstract contract Cheats {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    error NotEqual(string what, uint256 found, uint256 expected);
    error NotTrue(string what);

    function assertEq(uint256 found, uint256 expected, string memory what) internal pure {
        if (found != expected) revert NotEqual(what, found, expected);
    }

    function assertEq(address found, address expected, string memory what) internal pure {
        assertEq(uint160(found), uint160(expected), what);
    }

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    /// The first four bytes of an error's data.
    function selectorOf(bytes memory reason) internal pure returns (bytes4) {
        return reason.length < 4 ? bytes4(0) : bytes4(reason);
    }
}
