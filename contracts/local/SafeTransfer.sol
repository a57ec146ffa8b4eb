// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// transferFrom for tokens that return nothing as well as for those that return true.
library SafeTransfer {
    function safeTransferFrom(address token, address from, address to, uint256 amount) internal {
        (bool isOk, bytes memory result) = token.call(
            abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount)
        );
        // Only what a call that succeeded returned is a bool; a revert's data is not.
        bool isTrue = isOk &&
            (result.length == 0 ? token.code.length > 0 : abi.decode(result, (bool)));
        require(isTrue, "TRANSFER_FROM_FAILED");
    }
}
