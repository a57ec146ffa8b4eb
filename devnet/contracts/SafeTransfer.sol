// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Transfers of tokens that return nothing as well as of those that return true.
library SafeTransfer {
    function safeTransferFrom(address token, address from, address to, uint256 amount) internal {
        bytes memory data = abi.encodeWithSignature(
            "transferFrom(address,address,uint256)",
            from,
            to,
            amount
        );
        require(tryCall(token, data), "TRANSFER_FROM_FAILED");
    }

    function safeTransfer(address token, address to, uint256 amount) internal {
        require(tryTransfer(token, to, amount), "TRANSFER_FAILED");
    }

    function tryTransfer(address token, address to, uint256 amount) internal returns (bool) {
        return tryCall(token, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
    }

    function safeApprove(address token, address spender, uint256 amount) internal {
        bytes memory data = abi.encodeWithSignature("approve(address,uint256)", spender, amount);
        require(tryCall(token, data), "APPROVE_FAILED");
    }

    function tryCall(address token, bytes memory data) private returns (bool) {
        (bool isOk, bytes memory result) = token.call(data);
        // Only a successful call returns a bool; the data of a revert is not one.
        return isOk && (result.length == 0 ? token.code.length > 0 : abi.decode(result, (bool)));
    }
}
